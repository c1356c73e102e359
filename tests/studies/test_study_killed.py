"""The server is killed under load, again and again: what was acknowledged is there, once."""

import random
import threading
import time
from collections import Counter

import httpx
import pytest
import sqlalchemy as sa

from study_help import Person, Server, opened, study, trials
from zhiyin.plugins.studies.backup import back_up, restore
from zhiyin.plugins.studies.database import PLACES
from zhiyin.plugins.studies.results import rows

VOLUME = ("volume = true", "volume = false")


class Load:
    """People who answer as fast as they are let, and note what the server acknowledged."""

    def __init__(self, server, people):
        self.server, self.acknowledged, self.faults = server, [], []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(n,)) for n in range(people)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        client = httpx.Client(base_url=self.server.address, follow_redirects=True, timeout=20)
        person, begun = Person(client), False
        while not self.over.is_set():
            try:
                if not begun:
                    query = f"&PROLIFIC_PID=p{number}&SESSION_ID=v{number}"
                    person.begin(query=query)
                    begun = True
                if not person.look():
                    return
                place = int(person.place)
                got = person.answer(chosen=[number % 4])
                if got.status_code == 200 and got.json()["state"] in ("saved", "already"):
                    self.acknowledged.append((number, place, number % 4))
                else:
                    self.faults.append(got.text)
            except (httpx.TransportError, TypeError):
                time.sleep(0.05)  # the server is away, or broke off within a page
        client.close()


def kept_while_answers_come(tmp_path, load):
    """A backup holds every answer that was acknowledged before it was begun, and can be opened."""
    before = len(load.acknowledged)
    until = time.monotonic() + 60
    while len(load.acknowledged) == before and time.monotonic() < until:
        time.sleep(0.01)
    known = list(load.acknowledged)
    back_up(tmp_path / "s", tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "again")
    with opened(tmp_path / "again") as store, store.read() as connection:
        done = {row.id for row in connection.execute(sa.select(PLACES)) if row.done}
        assert len(list(rows(store))) == len(done)
    assert {place for _, place, _ in known} <= done


def killed(tmp_path, kills, url=""):
    study(tmp_path / "s", trials(400), VOLUME)
    draw = random.Random(3)
    with Server(tmp_path / "s", url) as server:
        load = Load(server, 8)
        try:
            for _ in range(kills):
                before = len(load.acknowledged)
                until = time.monotonic() + 60
                while len(load.acknowledged) < before + 5 and time.monotonic() < until:
                    time.sleep(0.01)
                time.sleep(draw.random() * 0.3)
                server.kill()
                server.start()
            if not url:
                kept_while_answers_come(tmp_path, load)
        finally:
            load.over.set()
            for thread in load.threads:
                thread.join(60)
    assert load.faults == []
    with opened(tmp_path / "s", url) as store:
        with store.read() as connection:
            places = {row.id: row for row in connection.execute(sa.select(PLACES))}
        found = {(row.participant, row.item): row for row in rows(store)}
        assert len(found) == len(list(rows(store)))
        done = [place for place in places.values() if place.done]
        assert len(done) == len(found)
        assert len(load.acknowledged) >= 5 * kills
        assert Counter(place for _, place, _ in load.acknowledged).most_common(1)[0][1] == 1
        for _, place, chosen in load.acknowledged:
            row = places[place]
            assert row.done
            answer = [r for (_, item), r in found.items() if item == row.item
                      and r.given == row.given]  # fmt: skip
            assert [r.keys for r in answer] == [[row.order[chosen]]]


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_and_none_is_there_twice(tmp_path):
    killed(tmp_path, 3)


@pytest.mark.trust
def test_nor_in_fifty_kills(tmp_path):
    killed(tmp_path, 50)
