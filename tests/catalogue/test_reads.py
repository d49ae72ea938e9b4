"""What reading an output after a write adds to the answer, on verdicts that are made up for it."""

from itertools import product
from typing import get_args

from msgspec.structs import replace

from generator.catalogue.model.reads import ReadEnd
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.reads import READ_ENDINGS, read_after, read_otherwise, read_words
from generator.catalogue.write_evidence import bare
from generator.catalogue.writes import answers
from tests.fixtures import tiny_reads, tiny_writes


def test_only_another_end_than_the_verdict_s_is_told() -> None:
    pairs = list(product(get_args(Verdict), get_args(ReadEnd)))
    told = {pair: read_words(*pair) for pair in pairs}
    assert {words for words in told.values() if words is not None} == {*READ_ENDINGS}
    # Where nothing says that the gradient is another, nothing is claimed of it.
    alike = {("correct", "runs"), ("silently wrong", "runs"), ("raises", "raises")}
    alike |= {("correct", "correct"), ("silently wrong", "silently wrong")}
    alike |= {("refused", "not read"), ("not tried", "not read")}
    assert {pair for pair, words in told.items() if words is None} == alike


def test_an_answer_says_what_reading_an_output_afterwards_does() -> None:
    written, refused = answers(tiny_reads.split_writes(), tiny_reads.split_reads())
    assert (written.word, written.read) == ("fine", "reading an output afterwards raises")
    assert (refused.word, refused.read) == ("refused", None)
    assert refused.remarks == ("under `no_grad` fine, but reading an output afterwards raises",)


def test_a_gradient_that_is_wrong_only_afterwards_is_told(small: Catalogue) -> None:
    op = tiny_reads.unsafe(small.ops["torch.exp"])
    assert op.writes is not None
    (said,) = answers(op.writes, op.reads)
    assert (said.word, said.read) == ("fine", "silently wrong from an output read afterwards")


def test_what_was_not_measured_adds_nothing() -> None:
    for one in answers(tiny_reads.split_writes()):
        assert one.read is None
        assert not any("afterwards" in remark for remark in one.remarks)
    assert read_after(None, tiny_reads.split_writes().trials[0]) is None


def test_ends_that_agree_add_nothing(small: Catalogue) -> None:
    exp = replace(small.ops["torch.exp"], reads=tiny_writes.exp_reads())
    assert list(read_otherwise(exp)) == []
    assert exp.writes is not None
    assert [one.read for one in answers(exp.writes, exp.reads)] == [None, None]


def test_a_read_belongs_to_the_write_under_its_mask(small: Catalogue) -> None:
    op = tiny_reads.split(small.ops["torch.exp"])
    assert [(bare(write.target), bare(read.target)) for write, read in read_otherwise(op)] == [
        ("input", "input"),
        ("output 0", "output 0"),
    ]
    assert op.reads is not None
    elsewhere = tuple(replace(one, masks=(1,)) for one in op.reads.trials)
    assert list(read_otherwise(replace(op, reads=replace(op.reads, trials=elsewhere)))) == []
