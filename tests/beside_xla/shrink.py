"""Making a program that fails smaller."""

import dataclasses

import numpy as np

import programs
import types_of as ty
from runner import judge


def kinds(verdicts):
    """What a failure is: of which targets, and an error's message without its numbers."""
    return {(target, word, "".join(c for c in what if not c.isdigit())[:60]
             if word == "error" else "")
            for target, (word, what) in verdicts.items() if word != "same"}


def values_of(program):
    """What XLA computes at every value."""
    every = program.with_results(range(program.values()))
    return programs.run(every)


def shrink(runner, program, targets, failure, most=60):
    """The smallest program found that fails as `failure`, a set of kinds(), does in part."""
    trials = 0
    targets = [t for t in targets if t in {target for target, _, _ in failure}]

    def fails(candidate):
        nonlocal trials
        trials += 1
        if trials > most:
            return False
        try:
            return bool(kinds(judge(runner, candidate, targets)[0]) & failure)
        except Exception:  # not a program for XLA
            return False

    best = program
    for result in best.results:
        candidate = best.with_results([result]).without_unused()
        if len(best.results) > 1 and fails(candidate):
            best = candidate
            break
    changed = True
    while changed and trials < most:
        changed = False
        values = values_of(best)
        # An inner value that is wrong by itself.
        for index, node in enumerate(best.nodes[:-1]):
            first = best.first_value(index)
            candidate = best.with_results(range(first, first + node.results)).without_unused()
            if len(candidate.nodes) < len(best.nodes) and fails(candidate):
                best, changed = candidate, True
                break
        if changed:
            continue
        for index in reversed(range(len(best.nodes))):
            if len(best.nodes) == 1:
                break
            first = best.first_value(index)
            arrays = values[first:first + best.nodes[index].results]
            candidate = best.cut(index, arrays)
            if candidate.nodes and fails(candidate):
                best, changed = candidate, True
                break
    return _simpler_inputs(best, fails)


def _simpler_inputs(program, fails):
    """Ones in the place of an input, or of what is special in it."""
    for i, array in enumerate(program.inputs):
        if array.size == 0 or array.dtype.kind in "biu" and array.size < 9:
            continue
        tries = [np.ones(array.shape).astype(array.dtype)]
        if ty.is_float(array.dtype):
            wide = array.astype(np.float64)
            with np.errstate(all="ignore"):
                tame = np.where(np.isfinite(wide) & (np.abs(wide) < 1e6), np.round(wide * 4) / 4, 1)
                tries += [tame.astype(array.dtype)]
        for simple in tries:
            inputs = list(program.inputs)
            inputs[i] = simple
            candidate = dataclasses.replace(program, inputs=inputs)
            if simple.tobytes() != array.tobytes() and fails(candidate):
                program = candidate
                break
    return program
