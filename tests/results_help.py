"""Results in the form in which the published appraisal program saves them."""

import json

SAID = "After careful listening, I believe the answer is {}."


def rows(questions, right):
    """As `evaluate_model` of the published program details them; the first `right` are right."""
    found = []
    for number, line in enumerate(questions):
        wrong = "B" if line["answer"] == "A" else "A"
        letter = line["answer"] if number < right else wrong
        found.append(
            {
                "question_id": number,
                "audio_path": line["audio_path"],
                "question": line["question"],
                "options": line["options"],
                "correct_answer": line["answer"],
                "predicted_answer": SAID.format(letter),
                "is_correct": number < right,
                "response_time": 2.1e-06,
                "metadata": {},
            }
        )
    return found


def saved(path, answers, right):
    """As `save_results` writes it, with the figures of the file that is published."""
    completeness, precision = [7.0, 4.0, 6.0], [0.5, 0.0, 0.1667]
    novelty = [0.75, 0.75, 0.0]
    n = sum("error" not in row for row in answers)
    summary = {
        "qa_accuracy": right / n,
        "qa_total_questions": n,
        "qa_correct_answers": right,
        "completeness_score": sum(completeness) / 3,
        "completeness_max_score": 16.0,
        "precision_score": sum(precision) / 3,
        "novelty_score": sum(novelty) / 3,
        "summary": "...",
    }
    summary["overall_score"] = (
        0.3 * right / n + 0.4 * sum(completeness) / 48 + 0.2 * sum(precision) / 3 + 0.1 * 0.5
    )
    content = {
        "summary": summary,
        "detailed_results": {
            "qa_results": answers,
            "completeness_details": {"individual_scores": completeness},
            "precision_details": {"individual_scores": precision},
            "novelty_details": {"individual_scores": novelty},
        },
    }
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), "utf-8")
    return path


def questions(count=36):
    letters = "ABCD"
    return [
        {
            "audio_path": f"songs/{number}.mp3",
            "question": f"第{number}段是什么段落？",
            "options": ["verse", "chorus", "bridge", "pre-chorus"],
            "answer": letters[number % 4],
        }
        for number in range(count)
    ]
