# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as the command says it, in the words of a Python call."""


class HelioError(Exception):
    """A mistake in what was asked: `message` says what is wrong, `place` where (a keyword, or file:line:column), `advice` what to do."""

    def __init__(self, message, kind="input", place="", advice=""):
        super().__init__(message, kind, place, advice)
        self.message, self.kind, self.place, self.advice = message, kind, place, advice

    def __str__(self):
        text = self.message + (f" ({self.place})" if self.place else "")
        if self.advice:
            text += ". " + self.advice[0].upper() + self.advice[1:]
            text += "" if text[-1] in ".?!" else "."
        return " ".join(text.split())


class InputError(HelioError, ValueError):
    """A call, a file or a value is wrong: where the command ends with 2 (kind "usage") or 3 (kind "input")."""


class InfeasibleError(HelioError):
    """What was asked for cannot be done, and why: where the command ends with 4."""

    def __init__(self, message, kind="infeasible", place="", advice=""):
        super().__init__(message, kind, place, advice)
