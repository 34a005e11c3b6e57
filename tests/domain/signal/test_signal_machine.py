"""A signal driven by evaluations with right and wrong versions, beside a plain model of it."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from domain.errors import VersionMismatch
from domain.signal.evaluation import Evaluation
from tests.domain.signal.evaluations import Signal, latest, reference, some_evaluations


class SignalMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.signal = Signal()
        self.seen: set[Evaluation] = set()

    @rule(evaluation=some_evaluations(), any_version=st.booleans())
    def tell(self, evaluation: Evaluation, any_version: bool) -> None:
        expected = -1 if any_version else len(self.seen)
        facts = len(self.signal.facts)
        self.signal = self.signal.told(evaluation, expected_version=expected)
        assert (len(self.signal.facts) == facts) == (evaluation in self.seen)
        self.seen.add(evaluation)

    @rule(evaluation=some_evaluations(), wrong=st.integers(-5, 60))
    def tell_at_a_wrong_version(self, evaluation: Evaluation, wrong: int) -> None:
        if wrong in (-1, len(self.seen)):
            return
        with pytest.raises(VersionMismatch) as caught:
            self.signal.told(evaluation, expected_version=wrong)
        assert (caught.value.expected, caught.value.current) == (wrong, len(self.seen))

    @precondition(lambda self: self.seen)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        known = data.draw(st.sampled_from(sorted(self.seen, key=Evaluation.digest)))
        assert self.signal.told(known) == self.signal

    @invariant()
    def the_signal_shows_what_the_set_says(self) -> None:
        assert self.signal.quick.version == len(self.seen)
        if self.seen:
            assert self.signal.shows == self.signal.showed_last == reference(self.seen)
            assert self.signal.current == latest(self.seen)


TestSignalMachine = SignalMachine.TestCase
TestSignalMachine.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
