# SPDX-License-Identifier: Apache-2.0
"""Heliograph: what does moving gradients by light, or through a wafer, really buy?

    import heliograph as hg
    result = hg.collective("all-reduce", fabric="ring", nodes=1024, bytes="100 MB", algorithm="ring", verify=True)
    result.time_s, result.bottleneck, result.to_json()

Every question of the command `helio` is a function here, answered by the same library: collective, simulate, compare, plan, reproduce,
validate, fit, slices, traffic, testbed, sweep; fred.route; onn.build, evaluate, decompose, describe. What there is: fabrics, algorithms,
models, npus, parts, studies, such as fabrics["wdm-ring"].parameters. Own algorithms and fabrics: algorithm, Schedule, Graph; in sweeps: vary.

Pages: docs/python.md and the tutorials beside it.
"""
from ._core import version as __version__
from ._front import (collective, compare, fit, plan, reproduce, simulate, slices, sweep, testbed, traffic, validate)
from .errors import HelioError, InfeasibleError, InputError

_LATER = {"fred": None, "onn": None, "errors": None, "Graph": "graph", "OwnAlgorithm": "own", "Schedule": "own", "algorithm": "own",
          "move_dtype": "own", "Result": "result", "describe": "catalogues", "fabrics": "catalogues", "algorithms": "catalogues",
          "models": "catalogues", "npus": "catalogues", "parts": "catalogues", "studies": "catalogues", "vary": "varying"}

__all__ = ["HelioError", "InfeasibleError", "InputError", "collective", "compare", "fit", "plan", "reproduce", "simulate", "slices",
           "sweep", "testbed", "traffic", "validate", *(name for name in _LATER if name != "errors")]


def __getattr__(name):
    """What is not needed to ask a question is imported when it is first used."""
    if name not in _LATER:
        raise AttributeError(f"module 'heliograph' has no attribute '{name}'")
    import importlib

    module = importlib.import_module("." + (_LATER[name] or name), __name__)
    value = getattr(module, name) if _LATER[name] else module
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_LATER})
