# SPDX-License-Identifier: Apache-2.0
"""Sweeps are run by the command: its processes may die without taking this one along. One with functions of this process: varying.py."""
import os
import shutil
import subprocess

from .errors import InfeasibleError, InputError


def program():
    """The command: named in HELIO, of the build that this package lies in, or on the path."""
    built = os.path.join(os.path.dirname(__file__), "..", "..", "apps", "helio")
    for found in (os.environ.get("HELIO"), built, shutil.which("helio")):
        if found and os.access(found, os.X_OK):
            return found
    raise InfeasibleError("a sweep needs the program helio, which is not there", place="sweep", advice="install it, or name it in HELIO")


def run(given):
    """What `helio sweep` says, as JSON."""
    words = [program(), "sweep", os.fspath(given["sweep"]), "--out", os.fspath(given["out"]), "--json"]
    if given.get("workers") is not None:
        words += ["--workers", str(given["workers"])]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    if said.returncode == 0:
        return said.stdout
    words = said.stderr.strip().removeprefix("helio: ")
    kind = {2: "usage", 3: "input", 4: "infeasible"}.get(said.returncode)
    if kind is None:
        raise RuntimeError(words)
    raise (InfeasibleError if kind == "infeasible" else InputError)(words, kind)
