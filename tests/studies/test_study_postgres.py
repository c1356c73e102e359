"""The same studies on PostgreSQL: a cluster of the test's own, as a user who is not root."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from test_study_killed import killed

from study_help import POSTGRESQL, Person, base_named, opened, right, study, trials
from zhiyin.plugins.studies.results import figures, rows

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
VOLUME = ("volume = true", "volume = false")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL: `make postgresql` gets it"),
]


@pytest.fixture(scope="module")
def url():
    """The address of an empty data base."""
    pytest.importorskip("psycopg")
    folder = Path(tempfile.mkdtemp(prefix="zhiyin-pg-"))
    as_user = []
    if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(program, *words):
        subprocess.run(
            [*as_user, str(PROGRAMS[0] / program), *words], check=True, capture_output=True,
            cwd=folder,
        )  # fmt: skip

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "zhiyin", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"
    run("pg_ctl", "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql://zhiyin@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def base(url, request):
    """A data base of the test's own."""
    return base_named(url, f"t{abs(hash(request.node.name))}")


def test_a_study_from_consent_to_withdrawal(tmp_path, base):
    study(tmp_path / "s", trials(4), VOLUME, kind="validate")
    with opened(tmp_path / "s", base) as store:
        people = [Person.of(store) for _ in range(4)]
        for person in people:
            person.begin()
            person.all(right)
        assert len(list(rows(store))) == 12  # three agree, and the item is closed
        assert {item.kept.decision for item in figures(store).items} == {"keep"}
        people[0].client.get("/withdraw")
        form = people[0].client.get("/withdraw").text.partition('name="form" value="')[2][:64]
        people[0].client.post("/withdraw", data={"form": form})
        assert len(list(rows(store))) == 8
    with opened(tmp_path / "s", base) as store:  # the tables are there already
        assert figures(store).people["withdrawn"] == 1
    assert not (tmp_path / "s" / "answers.sqlite").exists()


def test_kills_lose_nothing_there_either(tmp_path, base):
    killed(tmp_path, 2, base)


@pytest.mark.trust
def test_nor_do_fifty_there(tmp_path, base):
    killed(tmp_path, 50, base)


@pytest.mark.trust
def test_every_test_of_studies_passes_there(url):
    """All but those of SQLite's own files."""
    here = Path(__file__).parent.parent
    files = [here / f"test_study{name}.py" for name in ("", "_research", "_security", "_browser")]
    own = ("withdrawal_deletes_down", "backup_is_the_study", "backup_that_fails", "kept_as_hashes")
    ours = " and ".join(f"not {name}" for name in own)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", ours, *files],
        env={**os.environ, POSTGRESQL: url}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert done.stdout.count(".") > 90
