"""Every Python block of the page on the Python interface is run, in order, as a reader would."""

import re
import shutil

import numpy as np
import pytest
import soundfile

import zhiyin as zy
from conftest import REPOSITORY
from servers import ChatServer
from ziqi_layout import write_ziqi

PAGE = REPOSITORY / "docs" / "python.md"
NOTEBOOK = REPOSITORY / "examples" / "first_steps.ipynb"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with what the page supposes the reader to have."""
    write_ziqi(tmp_path / "data" / "ziqi", 6)
    shutil.copytree(REPOSITORY / "tests" / "data" / "appraisal_small", tmp_path / "data/appraisal")
    (tmp_path / "my_model.py").write_text("def answer(messages):\n    return 'Answer: B'\n")
    times = np.arange(22050) / 22050
    chord = sum(np.sin(2 * np.pi * f * times) for f in (261.6, 329.6, 392.0)) / 4
    soundfile.write(tmp_path / "chord.wav", chord, 22050)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_page(desk, monkeypatch, capsys):
    assert len(BLOCKS) > 8
    names = {"__name__": "__main__"}
    with ChatServer(lambda call: "答案：B") as server:
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for number, block in enumerate(BLOCKS):
            exec(compile(block, f"{PAGE.name}, block {number}", "exec"), names)
        assert len(server.seen) >= 60
    assert re.fullmatch(
        r"Run\('random', ziqi, 24 of 24 trials, accuracy \d+\.\d % \(\d+\.\d–\d+\.\d\)\)",
        repr(names["run"]),
    )
    told = capsys.readouterr().out.strip().splitlines()[-1]
    shown = re.search(r"print\(error\) +# (.*)", BLOCKS[-1])
    assert shown is not None
    assert told == shown[1]


def test_the_line_that_the_page_shows():
    """The interval beside the figure is the one that Zhiyin would print."""
    found = zy.stats.wilson(29, 60)
    told = f"accuracy {100 * found.mean:.1f} % ({100 * found.low:.1f}–{100 * found.high:.1f})"
    assert told in PAGE.read_text("utf-8")


def run_notebook(notebook, folder):
    """Execute a notebook in a kernel of its own, as Jupyter does."""
    import nbclient  # seconds, for those who run no notebook too

    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return notebook


def outputs(cell):
    return [output for output in cell.outputs if output.output_type != "stream"]


def html(cell):
    return "".join(output.data.get("text/html", "") for output in outputs(cell) if "data" in output)


@pytest.mark.slow
def test_the_notebook(desk):
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    run_notebook(notebook, desk)
    shown = {cell.id: cell for cell in cells}
    assert "<table" in html(shown["run"])
    assert "95 % interval" in html(shown["run"])
    assert "<progress" in html(shown["run"])
    assert "better" in html(shown["compare"])
    assert "20 of 20 trials" in html(shown["own"])
    assert shown["awaited"].outputs


@pytest.mark.slow
def test_errors_and_interrupts_in_a_notebook(desk):
    """An error is one line; interrupting a cell keeps what was answered."""
    import nbformat

    code = [
        "import zhiyin as zy\nrun = zy.run('ziqi', 'first', data='data/ziqi', limit=4)\nrun",
        "zy.run('ziqi', 'first', data='data/ziqi', rotation='all')",
        INTERRUPTED,
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in code])
    notebook.cells[1].metadata["tags"] = ["raises-exception"]
    run_notebook(notebook, desk)
    (error,) = outputs(notebook.cells[1])
    assert error.traceback == [
        "InputError: ziqi has no setting 'rotation': did you mean rotations?"
    ]
    assert outputs(notebook.cells[2])[-1].data["text/plain"] == "7"


INTERRUPTED = """
import asyncio, os, signal, threading, zhiyin as zy
asked = []

async def slow(messages):
    asked.append(1)
    if len(asked) == 8:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    await asyncio.sleep(0 if len(asked) < 8 else 60)
    return "答案：A"

try:
    zy.run("ziqi", slow, data="data/ziqi", out="run", concurrency=1)
except KeyboardInterrupt:
    told = len(zy.load("run"))
told
"""
