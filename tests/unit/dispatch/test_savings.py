from pathlib import Path

import pytest

from benchmarks.mixed_set import COUNTS, build_all
from benchmarks.savings import PACKS, settings_with
from headworks.dispatch.asking import Asking
from headworks.dispatch.plan import Errand, jobs, plan
from headworks.service.inputs import find
from headworks.service.one import Done, RunOptions
from headworks.service.results import Results
from headworks.service.run import run


@pytest.mark.filterwarnings("ignore")
def test_rules_save_most_of_the_calls_on_a_mixed_set(tmp_path: Path) -> None:
    """On 50 documents of our own at least 60 % of the chunks need no call, and each says why."""
    documents, out = tmp_path / "documents", tmp_path / "out"
    build_all(documents)
    chosen = settings_with(PACKS)
    options = RunOptions(out=out, settings=chosen, report=False, deliver=True)
    done = run(find([documents], out), options).results
    assert len(done) == sum(COUNTS.values())
    asking, keys, calls, every = Asking(chosen), set(), 0, 0
    for one in done:
        assert isinstance(one, Done)
        results = Results(out / one.record.folder)
        planned = plan(results.shelf, asking, Errand("root", one.record.folder))
        new = {job.key for job in jobs(planned)} - keys
        keys |= new
        calls += len(new)
        every += results.kept.cut
        assert all(entry.why for entry in planned if entry.state in ("skipped", "rules", "kept"))
    assert calls <= 0.4 * every
