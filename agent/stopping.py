"""Why a conversation with a model ends: one family of exceptions, one handler, and one question about each of them.

Not handled here: who raises them (`loop`, `asking_models`).
"""

from __future__ import annotations


class Stop(Exception):
    """The end of a conversation; the text says why, for people."""

    done = False  # the reading was handed in
    outside = False  # something outside of the reading failed: it says nothing about the model


class Submitted(Stop):
    """The model handed its reading in."""

    done = True


class Limit(Stop):
    """A limit was reached."""


class OutOfSteps(Limit):
    """Too many turns."""


class OutOfMoney(Limit):
    """Too many dollars."""


class OutOfTime(Limit):
    """Too many seconds."""


class BadReplies(Limit):
    """Too many replies in a row that are of no use."""


class Refused(Stop):
    """The model, or a filter before it, declined."""


class BackendFailed(Stop):
    """No turn came back: no key, no connection, a server that fails."""

    outside = True
