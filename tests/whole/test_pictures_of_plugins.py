"""Pictures: read, checked, sent, shown and exported as sound is."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path

import pytest
import test_pictures

from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.trial import Image

seen = test_pictures.seen


@pytest.mark.slow
@pytest.mark.xdist_group("inspect")
def test_an_inspect_log_holds_the_picture(seen, tmp_path) -> None:
    (record,) = read_records(seen)
    (picture,) = [p for p in record.trial.messages[-1].parts if isinstance(p, Image)]
    out = tmp_path / "log.eval"
    assert main(["export", str(seen), "--to", "inspect", "-o", str(out)]) == 0
    from inspect_ai.log import read_eval_log, resolve_sample_attachments

    (sample,) = read_eval_log(str(out)).samples
    content = resolve_sample_attachments(sample, "full").input[0].content
    image = next(part for part in content if part.type == "image")
    head, _, data = image.image.partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == Path(picture.path).read_bytes()
    with zipfile.ZipFile(out) as archive:
        assert "[picture]" in io.TextIOWrapper(archive.open("summaries.json")).read()


def test_messages_are_exported_with_the_picture_by_hash(seen, tmp_path) -> None:
    pytest.importorskip("polars")
    assert main(["export", str(seen), "--to", "csv", "-o", str(tmp_path / "a.csv")]) == 0
    (record,) = read_records(seen)
    (picture,) = [p for p in record.trial.messages[-1].parts if isinstance(p, Image)]
    assert picture.sha256 in (tmp_path / "a.csv").read_text()
