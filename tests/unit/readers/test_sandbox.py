"""The sandbox: a reading process that cannot hurt its parent and need not be started twice."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from headworks.config import MEBIBYTE, ReadSettings
from headworks.errors import FaultError, HeadworksError, InputError, LimitError
from headworks.model.document import Document
from headworks.readers import sandbox as sandbox_module
from headworks.readers.base import read
from headworks.readers.sandbox import Sandbox

# A child that does, for a file with such a name, what a faulty reader might do.
FAULTY_CHILD = """
import os, sys, time
sys.path.insert(0, {folder!r})
from headworks.readers import base, child, scratch

def read(path, settings):
    deed = path.stem
    if deed == "hang":
        while True: pass
    if deed == "sleep_for_long":
        time.sleep(600)
    if deed == "die":
        os._exit(3)
    if deed == "abort":
        os.abort()
    if deed == "eat":
        hoard = []
        while True: hoard.append(bytes(1 << 24))
    if deed == "hoard":
        small = [bytes(50_000) for _ in range(10_000)]; last = bytes(60_000); del small
        held.append(last)
    reads.append(deed)
    if deed == "crowded" and len(reads) > 1:
        raise MemoryError
    if deed == "print":
        print("stray" * 1000); os.write(1, b"stray")
    if deed == "killed":
        os.kill(os.getpid(), 9)
    if deed == "killed_twice":
        kills = path.parent / "kills"
        with kills.open("a") as file: file.write("x")
        if len(kills.read_text()) < 3: os.kill(os.getpid(), 9)
    if deed == "child":
        pid = os.fork()
        if pid == 0: time.sleep(600)
        (path.parent / "pid").write_text(str(pid)); time.sleep(600)
    if deed == "folder":
        with scratch.scratch_folder() as folder:
            (folder / "half").write_text("x"); time.sleep(600)
    if deed == "bug":
        [][0]
    return original(path, settings)

held, reads = [], []
original = child.read
child._MAX_DOCUMENTS = 3
child.read = lambda path, settings: base._at(path, lambda: read(path, settings))
child.serve(int(sys.argv[1]), sys.argv[2] == "bound", sys.argv[3])
"""


@pytest.fixture
def box() -> Iterator[Sandbox]:
    """Give a running sandbox."""
    with Sandbox(ReadSettings()) as running:
        yield running


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sandbox run the faulty child."""
    module = tmp_path / "faulty_child.py"
    module.write_text(FAULTY_CHILD.format(folder=str(tmp_path)), encoding="utf-8")
    monkeypatch.setattr(sandbox_module, "_CHILD", "faulty_child")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def text_file(folder: Path, name: str, text: str = "第一条 付款") -> Path:
    """Write a text file."""
    path = folder / f"{name}.txt"
    path.write_text(text, encoding="utf-8")
    return path


def code_of(box: Sandbox, path: Path) -> str:
    """Give the code that reading a file ends with."""
    with pytest.raises(HeadworksError) as caught:
        box.read(path)
    assert caught.value.place.startswith(path.name)
    return caught.value.code


def pid_of(box: Sandbox) -> int:
    """Give the child's process id."""
    process = box._process
    assert process is not None
    return process._process.pid


def test_same_document(box: Sandbox, tmp_path: Path) -> None:
    """The document is the same as one read in this process."""
    path = text_file(tmp_path, "合同 一", "第一条 付款\n甲方付款。\n" * 500)
    assert box.read(path) == read(path, ReadSettings())


def test_a_large_text_crosses_in_pieces(box: Sandbox, tmp_path: Path) -> None:
    """A text of more characters than one piece holds is the same on this side."""
    path = text_file(tmp_path, "长", "第一条 付款\n甲方于𠀀日付款。\n" * 70_000)
    document = box.read(path)
    assert len(document.text) > 1_000_000
    assert document == read(path, ReadSettings())


def test_the_child_is_kept(box: Sandbox, tmp_path: Path) -> None:
    """Documents one after the other are read by one child."""
    path = text_file(tmp_path, "a")
    box.read(path)
    first = pid_of(box)
    for _ in range(5):
        box.read(path)
    assert pid_of(box) == first


def test_errors_cross_as_they_are(box: Sandbox, tmp_path: Path) -> None:
    """A typed error comes out with its class, code and place; the child lives on."""
    empty = tmp_path / "空.txt"
    empty.touch()
    with pytest.raises(InputError) as caught:
        box.read(empty)
    assert (caught.value.code, caught.value.place) == ("E_EMPTY", "空.txt")
    assert box.read(text_file(tmp_path, "a")).text == "第一条 付款"


def test_asking_and_answering_apart(box: Sandbox, tmp_path: Path) -> None:
    """The child reads while the caller works; an answer needs a question."""
    box.ask(text_file(tmp_path, "a"))
    time.sleep(0.05)
    assert box.answer().text == "第一条 付款"
    with pytest.raises(FaultError):
        box.answer()


def test_relative_path(box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path means the caller's folder, also after it has changed."""
    box.start()
    text_file(tmp_path, "a")
    monkeypatch.chdir(tmp_path)
    assert box.read(Path("a.txt")).text == "第一条 付款"


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(
    ("deed", "code"),
    [
        ("die", "E_READER"),
        ("abort", "E_READER"),
        ("killed", "E_MEMORY"),
        ("eat", "E_MEMORY"),
        ("bug", "E_READER"),
    ],
)
def test_a_dead_child_is_replaced(tmp_path: Path, deed: str, code: str) -> None:
    """However the child ends, the error is typed and the next document is read."""
    with Sandbox(ReadSettings(memory_bytes=512 * MEBIBYTE)) as box:
        assert code_of(box, text_file(tmp_path, deed)) == code
        assert box.read(text_file(tmp_path, "a")).text == "第一条 付款"


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("deed", ["hang", "sleep_for_long"])
def test_time_bound(tmp_path: Path, deed: str) -> None:
    """A child that does not come back is ended at the bound."""
    with Sandbox(ReadSettings(timeout_seconds=0.6)) as box:
        assert code_of(box, text_file(tmp_path, deed)) == "E_TIMEOUT"
    with Sandbox(ReadSettings()) as box:
        assert box.read(text_file(tmp_path, "a")).text == "第一条 付款"


@pytest.mark.usefixtures("faulty")
def test_the_whole_group_is_ended(tmp_path: Path) -> None:
    """What the child itself has started ends with it."""
    with Sandbox(ReadSettings(timeout_seconds=1.0)) as box:
        assert code_of(box, text_file(tmp_path, "child")) == "E_TIMEOUT"
    assert _gone(int((tmp_path / "pid").read_text()))


@pytest.mark.usefixtures("faulty")
def test_a_killed_child_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary folder in which a child was working is cleared away after it."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with Sandbox(ReadSettings(timeout_seconds=1.0)) as box:
        assert code_of(box, text_file(tmp_path, "folder")) == "E_TIMEOUT"
        assert not list(place.iterdir())


@pytest.mark.usefixtures("faulty")
def test_memory_that_a_document_leaves_goes_back(tmp_path: Path) -> None:
    """A child that held much for one document and let go of it serves the next one, too."""
    with Sandbox(ReadSettings()) as box:
        box.read(text_file(tmp_path, "hoard"))
        pid = pid_of(box)
        box.read(text_file(tmp_path, "a"))
        assert pid_of(box) == pid


@pytest.mark.usefixtures("faulty")
def test_a_document_that_finds_no_room_gets_a_new_child(tmp_path: Path) -> None:
    """Where memory is short in a child that read others before, the document is read anew."""
    path = text_file(tmp_path, "crowded")
    with Sandbox(ReadSettings()) as box:
        box.read(text_file(tmp_path, "a"))
        pid = pid_of(box)
        assert box.read(path).text == "第一条 付款"
        assert pid_of(box) != pid
    with Sandbox(ReadSettings(memory_bytes=512 * MEBIBYTE)) as box:
        assert code_of(box, text_file(tmp_path, "eat")) == "E_MEMORY"


@pytest.mark.usefixtures("faulty")
def test_stray_output(tmp_path: Path) -> None:
    """What a library prints does not get between the frames."""
    with Sandbox(ReadSettings()) as box:
        assert box.read(text_file(tmp_path, "print")).text == "第一条 付款"


@pytest.mark.usefixtures("faulty")
def test_an_old_child_is_renewed(tmp_path: Path) -> None:
    """After so many documents the child ends itself, and nobody notices."""
    path = text_file(tmp_path, "a")
    with Sandbox(ReadSettings()) as box:
        pids = set()
        for _ in range(7):
            assert box.read(path).text == "第一条 付款"
            pids.add(pid_of(box))
    assert len(pids) == 3


def test_an_idle_child_that_died_is_replaced(box: Sandbox, tmp_path: Path) -> None:
    """A child ended between documents is replaced without anybody noticing."""
    path = text_file(tmp_path, "a")
    box.read(path)
    os.kill(pid_of(box), signal.SIGKILL)
    time.sleep(0.1)
    assert box.read(path).text == "第一条 付款"


@pytest.mark.usefixtures("faulty")
def test_a_child_killed_by_somebody_else_is_begun_again(tmp_path: Path) -> None:
    """A kill that did not come of the document's memory costs it nothing, twice over."""
    with Sandbox(ReadSettings()) as box:
        assert box.read(text_file(tmp_path, "killed_twice")).text == "第一条 付款"
    assert (tmp_path / "kills").read_text() == "xxx"


def test_threads(tmp_path: Path) -> None:
    """Each thread reads in its own sandbox."""
    paths = [text_file(tmp_path, str(n), f"第{n}条") for n in range(3)]
    documents: dict[int, Document] = {}

    def work(number: int) -> None:
        with Sandbox(ReadSettings()) as box:
            documents[number] = box.read(paths[number])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [documents[n].text for n in range(3)] == ["第0条", "第1条", "第2条"]


def test_closing_leaves_nothing(tmp_path: Path) -> None:
    """A closed sandbox has no child and no open pipe; it may be used again."""
    box = Sandbox(ReadSettings())
    box.read(text_file(tmp_path, "a"))
    pid = pid_of(box)
    box.close()
    assert _gone(pid)
    assert box.read(text_file(tmp_path, "a")).text == "第一条 付款"
    box.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the bond to the parent is the kernel's")
def test_the_child_dies_with_its_parent(tmp_path: Path) -> None:
    """A parent that is killed takes its child with it."""
    script = (
        "import time\nfrom headworks.config import ReadSettings\n"
        "from headworks.readers.sandbox import Sandbox\n"
        "box = Sandbox(ReadSettings()); box.start(); time.sleep(0.3)\n"
        "print(box._process._process.pid, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert _gone(child)


def test_limit_errors_keep_their_class(box: Sandbox, tmp_path: Path) -> None:
    """A bound passed in the child is a LimitError here."""
    path = text_file(tmp_path, "a", "x" * 1000)
    with Sandbox(ReadSettings(max_bytes=10)) as small, pytest.raises(LimitError):
        small.read(path)


def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(pid):
            return True
        time.sleep(0.02)
    return False


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
