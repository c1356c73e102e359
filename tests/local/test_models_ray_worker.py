"""A worker by itself, without Ray: copies of media, and one file that is gone among many calls."""

import asyncio
import hashlib
import tempfile
from pathlib import Path

from zhiyin.models import Setting
from zhiyin.plugins.local.on_ray.model import RayModel
from zhiyin.plugins.local.on_ray.workers import Worker, WorkerCall, WorkerHandle
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Trial, say


def asked(name, path, data=b"sound"):
    audio = Audio(str(path), hashlib.sha256(data).hexdigest())
    messages = (say("user", "which?", audio),)
    return WorkerCall(messages, Sampling(), Trial(name, messages, name))


def test_a_copy_on_a_worker_is_whole_whenever_it_is_seen(tmp_path):
    """Two batches may lack the same sound at once: each sends it, and both read it."""
    data = bytes(range(256)) * 100_000
    call = asked("t", tmp_path / "only-on-the-driver.wav", data)
    audio = call.messages[0].parts[1]
    worker = Worker("random", Setting())

    async def send():
        seen = []
        for _ in range(2):
            keeping = asyncio.create_task(worker.keep(audio.sha256, data))
            while not keeping.done():
                await asyncio.sleep(0)
                if path := worker._local_path(audio):
                    seen.append(Path(path).stat().st_size)
            await keeping
        seen.append(Path(worker._local_path(audio)).stat().st_size)
        return seen

    assert {*asyncio.run(send())} == {len(data)}


def test_a_worker_that_is_let_go_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "class Mine:\n"
        "    name, concurrency = 'mine', 1\n"
        "    async def generate(self, messages, sampling, trial): ...\n"
        "    async def close(self): Path(__file__).with_name('closed').touch()\n"
    )
    worker = Worker(f"python:{tmp_path / 'mine.py'}:Mine", Setting())

    async def work():
        await worker.begin()
        await worker.keep("0" * 64, b"sound")
        await worker.close()

    asyncio.run(work())
    assert (tmp_path / "closed").exists()
    assert not [*tmp_path.glob("zhiyin*")]


class Crew:
    """One worker, to whom nothing is near."""

    fatal = None

    class about:
        concurrency = 16

    def __init__(self):
        self.handles = [WorkerHandle(None)]
        self.handles[0].ready = True
        self.gone = []

    def look(self):
        pass

    async def work(self, handle, batch):
        for call in batch:
            if call.trial.id == "odd":
                raise TypeError("cannot pickle this")
            await asyncio.to_thread(Path(call.messages[0].parts[1].path).read_bytes)
        return [Reply(call.trial.id) for call in batch]

    async def close(self):
        pass


def answers_to(calls):
    model = RayModel("random", None, Setting(), 16)
    model._crew = Crew()

    async def ask():
        every = asyncio.gather(*(model.generate(*call) for call in calls), return_exceptions=True)
        try:
            return await asyncio.wait_for(every, 10)
        finally:
            await model.close()

    return asyncio.run(ask())


def test_a_batch_that_cannot_be_sent_is_an_error_and_no_wait_without_end(tmp_path):
    (error,) = answers_to([asked("odd", tmp_path / "x.wav")])
    assert str(error) == "TypeError: cannot pickle this"


def test_a_recording_that_is_gone_is_no_fault_of_the_others_in_its_batch(tmp_path):
    calls = []
    for number in range(16):
        path = tmp_path / f"{number}.wav"
        path.write_bytes(b"sound")
        calls.append(asked(f"t{number}", path))
    (tmp_path / "5.wav").unlink()
    replies = answers_to(calls)
    assert "a file cannot be read" in str(replies.pop(5))
    assert [reply.text for reply in replies] == [f"t{n}" for n in range(16) if n != 5]
