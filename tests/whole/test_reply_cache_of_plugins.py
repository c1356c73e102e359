"""Nothing is paid twice: replies are kept for other runs, whatever happens to the file."""

import pytest
import test_reply_cache
from test_reply_cache import zhiyin

from servers import ChatServer

pytestmark = pytest.mark.slow


own_cache = test_reply_cache.own_cache
data = test_reply_cache.data


def test_each_draw_of_a_judge_is_asked(own_cache, data, tmp_path):
    import shutil

    from conftest import REPOSITORY
    from judge_help import judge_answer

    shutil.copytree(REPOSITORY / "tests" / "data" / "appraisal_small", tmp_path / "appraisal")
    with ChatServer(lambda call: "A calm song in a minor key, slow, with a piano.") as reviewer:
        zhiyin("run", "appraisal", "--data", tmp_path / "appraisal", "-m", reviewer.spec,
               "--out", tmp_path / "reviews", "--quiet")  # fmt: skip
    with ChatServer(lambda call: judge_answer(call)) as server:
        judge = ("judge", tmp_path / "reviews", "-m", server.spec, "--aspects", "completeness")
        judge += ("--temperature", "0", "--cache", "7")
        zhiyin(*judge, "--quiet")
        once = server.calls
        zhiyin(*judge, "--quiet", "--draws", 3)
        assert server.calls == 3 * once > 0, "the first draw was paid for, two more are asked"
