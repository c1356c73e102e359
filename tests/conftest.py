"""What the tests share."""

import gc
import importlib
import importlib.util
import os
import re
import signal
import sys
import threading
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

import warm
from published_data import published_data

# Before numpy is imported, here and in all that tests start: each process of tests has a processor,
# and threads that wait for one another's part of a small matrix keep both busy.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# How long an example takes says how busy the machine is, and nothing of the program.
for profile, examples in (("short", 10), ("thorough", 400)):
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile("short")  # `make trust` asks for the other one

# A shell makes what it runs in the background deaf to Ctrl-C, nohup to the end of a terminal, and
# so all that tests begin.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

# Collecting makes millions of objects and drops few of them: looking for garbage takes seconds.
gc.disable()

WORKER_BYTES = 3 * 2**30
"""What a process of tests may take, with torch and a browser beside it."""

REPOSITORY = Path(__file__).resolve().parent.parent


STARTS = {"os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
"""What a test does that starts a process, by its audit event; see `slow`."""
LONG = set((REPOSITORY / "tests" / "long.txt").read_text().split())
"""Files and tests that take long, all cases together, on a quiet machine: `make trust`."""
SLOW_FILE = re.compile(r"^pytestmark = (?:\[\s*)?pytest\.mark\.slow\b", re.MULTILINE)


NO_DATA = "no published data: set ZHIYIN_SHARED to the folder that holds data/"


def pytest_configure(config):
    """Let `make test` end well where its second part has nothing to try.

    Without it pytest collects all tests to find that none can be tried.
    """
    if config.option.markexpr.startswith("data ") and published_data() is None:
        pytest.exit(NO_DATA, returncode=0)


def only_fast(config):
    """Whether slow tests are left out, as `make check` has it."""
    return "not slow" in config.option.markexpr


def pytest_ignore_collect(collection_path, config):
    """Files that are slow as a whole are not even imported where slow tests are left out.

    Nor are files without published data, where only tests on those are asked for.
    """
    if not collection_path.name.startswith("test_"):
        return None
    if only_fast(config):
        return bool(SLOW_FILE.search(collection_path.read_text("utf-8"))) or None
    if config.option.markexpr.startswith("data "):
        return not re.search(r"\bshared\b", collection_path.read_text("utf-8")) or None
    return None


started: list[str] = []
sys.addaudithook(lambda event, _: started.append(event) if event in STARTS else None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """What was started before is another test's."""
    started.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Keep `make check` fast: a test that starts a process says that it wants the mark.

    How long one takes says how busy the machine is.
    """
    found = yield
    if started and not any(map(item.get_closest_marker, ("slow", "trust"))):
        pytest.fail("starts a process: mark it @pytest.mark.slow", pytrace=False)
    return found


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(items):
    """Mark what asks for published data; leave what is long to `make trust`.

    One process tries all tests of a file, or of several that share what takes long to begin with:
    what they begin with is made once.
    """
    seen = Counter()
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        name = f"{item.path.name}::{getattr(item, 'originalname', None)}"
        if {item.path.name, name} & LONG:
            item.add_marker(pytest.mark.trust)
        if mark := item.get_closest_marker("sample"):
            name = item.nodeid.partition("[")[0]
            if seen[name] % mark.args[0]:
                item.add_marker(pytest.mark.trust)
            seen[name] += 1


def pytest_collection_finish():
    """From here on garbage is looked for, among what the tests make."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_sessionfinish():
    """End what was started once for all tests."""
    if "browser" in sys.modules:
        sys.modules["browser"].close()


@pytest.hookimpl(optionalhook=True)  # `-p no:xdist` knows no such hook
def pytest_xdist_auto_num_workers(config):
    """As many processes as processors: each collects all tests and imports what is large."""
    if config.option.numprocesses != "auto" or "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(os.cpu_count() or 1, memory // WORKER_BYTES))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published data: tests that ask for it have the mark `data`."""
    folder = published_data()
    if folder is None:
        pytest.skip(NO_DATA)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _cache_of_our_own(tmp_path_factory):
    """Tests leave nothing in the user's cache."""
    os.environ["ZHIYIN_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    os.environ["ZHIYIN_DATA"] = str(tmp_path_factory.mktemp("data"))
    os.environ["ZHIYIN_PRICES"] = str(tmp_path_factory.mktemp("prices"))


@pytest.fixture(autouse=True)
def _no_replies_of_other_tests():
    """A server of one test may have the address of another's: what it said is not kept."""
    kept = f"{os.environ['ZHIYIN_CACHE']}/replies.sqlite"
    for name in (kept, f"{kept}-wal", f"{kept}-shm") if os.path.exists(kept) else ():  # noqa: PTH110
        Path(name).unlink(missing_ok=True)


@pytest.fixture(autouse=True, scope="session")
def _figures_in_one_format():
    """Figures are drawn as SVG alone, by warm commands too: PDF takes ten times as long."""
    if not importlib.util.find_spec("zhiyin.plugins"):  # the core alone draws none
        return
    os.environ[warm.SVG] = "1"
    look = importlib.import_module("zhiyin.plugins.paper.figures.style")
    look.every_format, look.FORMATS = look.FORMATS, ("svg",)


@pytest.fixture(autouse=True, scope="session")
def _calls_are_tried_again_at_once():
    """After half a second, a second and so on, a model that always fails takes half a minute.

    Warm commands do not wait either.
    """
    os.environ[warm.AT_ONCE] = "1"
    importlib.import_module("zhiyin.engine.asking")._FIRST_WAIT_S = 0.001


@pytest.fixture(autouse=True, scope="session")
def _no_disk_is_waited_for():
    """No test takes the power away: what was written is there for the next one who reads."""
    os.fsync = lambda file: None


@pytest.fixture(autouse=True, scope="session")
def _reports_may_fork():
    """A process of tests has a thread that waits for orders: it may be copied all the same."""
    processes = importlib.import_module("zhiyin.report.processes")
    processes.can_fork = lambda: sys.platform == "linux" and threading.active_count() <= 2


@pytest.fixture(scope="module")
def all_formats(_figures_in_one_format):
    """Figures are drawn in every format, as for a user."""
    look = importlib.import_module("zhiyin.plugins.paper.figures.style")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(warm.SVG)
        patch.setattr(look, "FORMATS", look.every_format)
        yield


@pytest.fixture(scope="session")
def ray_cluster():
    """A Ray cluster whose head has room for no worker; tests add nodes, and take them away.

    One for all tests of the group "ray": starting it takes longer than most of them.
    """
    os.environ["RAY_AUTH_MODE"] = "disabled"  # else a token is written into the home folder
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    from zhiyin.plugins.local.on_ray.workers import HEALTH

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": HEALTH},
    )
    yield made
    made.shutdown()
