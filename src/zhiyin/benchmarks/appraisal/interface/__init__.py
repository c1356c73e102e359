"""The appraisal benchmark from Python: functions of yours are examined, and their reviews judged.

Names, parameters and result fields are those of the published program, whose four modules are one
here. `docs/benchmarks/appraisal.md` is their page.
"""

from zhiyin.benchmarks.appraisal.interface.comprehensive import (
    ComprehensiveEvaluationResult,
    MusicAppraisalBenchmark,
    run_comprehensive_benchmark,
)
from zhiyin.benchmarks.appraisal.interface.evaluators import (
    AudioLLMEvaluator,
    AudioNoveltyEvaluator,
    AudioPrecisionEvaluator,
    LLMEvaluationResult,
    NoveltyEvaluationResult,
    PrecisionEvaluationResult,
)
from zhiyin.benchmarks.appraisal.interface.questions import (
    AudioQABenchmark,
    EvaluationResult,
    QAItem,
    run_benchmark,
)

__all__ = [
    "AudioLLMEvaluator",
    "AudioNoveltyEvaluator",
    "AudioPrecisionEvaluator",
    "AudioQABenchmark",
    "ComprehensiveEvaluationResult",
    "EvaluationResult",
    "LLMEvaluationResult",
    "MusicAppraisalBenchmark",
    "NoveltyEvaluationResult",
    "PrecisionEvaluationResult",
    "QAItem",
    "run_benchmark",
    "run_comprehensive_benchmark",
]
