"""One random program: made, run, compared; explained, or made smaller and written down."""

import dataclasses
import json
import os
import sys
import traceback

import jax

import deviations
import maker
import programs
import types_of as ty
from runner import Runner, judge
from shrink import kinds, shrink


def serve(options):
    """After the line "ready", seeds come in, and a line of JSON for each goes out; what libraries
    print does not."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print("ready", file=out, flush=True)
    runner = Runner(options.build)
    targets = options.targets.split(",")
    for count, line in enumerate(sys.stdin):
        outcome = outcome_of(int(line), runner, targets, options.folder)
        out.write(json.dumps(outcome) + "\n")
        out.flush()
        if count % 50 == 49:
            jax.clear_caches()
    runner.close()
    return 0


def outcome_of(seed, runner, targets, folder):
    outcome = {"seed": seed}
    try:
        program = maker.make(seed)
    except Exception:
        return outcome | {"status": "differs", "what": f"not made: {traceback.format_exc()}"}
    outcome["ops"] = len(program.nodes)
    rules = []
    try:
        while True:
            verdicts, _ = judge(runner, program, targets)
            if not kinds(verdicts):
                return outcome | ({"status": "explained", "rules": rules} if rules else
                                  {"status": "same"})
            explained = _explain(runner, program, verdicts)
            if explained is None:
                break
            names, program = explained
            rules += names
            if not program.nodes:
                return outcome | {"status": "explained", "rules": rules}
    except (jax.errors.JaxRuntimeError, NotImplementedError) as error:
        return outcome | {"status": "xla refuses", "what": f"{type(error).__name__}: {error}"[:300]}
    except Exception:
        return outcome | {"status": "differs", "what": f"not compared: {traceback.format_exc()}"}
    if seed in deviations.VERDICTS:
        return outcome | {"status": "explained", "rules": rules + [deviations.VERDICTS[seed]]}
    return outcome | _finding(seed, runner, program, targets, verdicts, folder, rules)


def _explain(runner, program, verdicts):
    """(names of deviations, the program with XLA's values in the place of the op that deviates), or
    None."""
    targets = list(dict.fromkeys((*verdicts, "reference")))
    every = program.with_results(range(len(program.inputs), program.values()))
    lowered = programs.lower(every)
    wanted = programs.run(every, lowered)
    text = lowered.as_text()
    every_verdicts = runner.compare(text, every.arguments(), wanted, targets)
    verdict = every_verdicts["reference"]
    if verdict[0] == "error":
        return None
    known = [ty.np.asarray(jax.numpy.asarray(x)) for x in program.inputs] + wanted
    # "result N at …": the first that differs. What noise may hide here, or only another target
    # computes, is looked for everywhere.
    first_value = int(verdict[1].split()[1]) if verdict[0] == "differs" else None
    for index, node in enumerate(program.nodes):
        first = program.first_value(index) - len(program.inputs)
        if first_value is not None and not first <= first_value < first + node.results:
            continue
        results = wanted[first:first + node.results]
        names = _explain_alone(runner, program, index, known, results, targets)
        if names is None:
            # XLA's simplifier may leave the two as they are where all values are results.
            names = _explain_pair(runner, program, index, known, targets)
        if names is None and first_value is not None and _agrees_alone(
                runner, program, index, known, results, targets):
            # Rounding before it, which the reference has too, has grown: a comparison that tips
            # over, a value next to the largest that becomes infinite.
            names = []
        if names is None and first_value is None:
            names = _explain_within(runner, text, every, node, first, known, results,
                                    every_verdicts)
        if names is not None:
            return names, program.cut(index, results)
    if first_value is None:
        return None
    return _explain_before(runner, program, text, every, first_value, known, targets)


def _explain_before(runner, program, text, every, first_value, known, targets):
    """The same for a node before the first that differs, whose own values noise would let be: next
    to the greatest number it makes infinities."""
    ours = runner.evaluate(text, every.arguments(), "reference")
    start = len(program.inputs)
    for index, node in enumerate(program.nodes):
        first = program.first_value(index) - start
        if ours is None or first + node.results > first_value:
            return None
        results = known[start + first:start + first + node.results]
        if any(deviations.differing(node, xla, our).any()
               for xla, our in zip(results, ours[first:])):
            names = _explain_alone(runner, program, index, known, results, targets)
            if names is not None:
                return names, program.cut(index, results)
    return None


def _alone(program, index, known):
    """(a program of one node, its operands, which have the values in `known`)."""
    node = program.nodes[index]
    operands = [ty.np.asarray(known[i]) for i in node.operands]
    return programs.Program(operands, [program.constant(i) for i in node.operands],
                            [dataclasses.replace(node, operands=range(len(operands)))],
                            range(len(operands), len(operands) + node.results)), operands


def _agrees_alone(runner, program, index, known, results, targets):
    """Whether a node agrees on all targets, given XLA's values of its operands."""
    alone, _ = _alone(program, index, known)
    verdicts = runner.compare(programs.lower(alone).as_text(), alone.arguments(), results, targets)
    return not kinds(verdicts)


def _explain_alone(runner, program, index, known, results, targets):
    """Names of deviations that explain a node's results on all targets, given XLA's values of its
    operands: what ops before it made of rounding does not count. None if there are no such, or if
    nothing differs."""
    node = program.nodes[index]
    alone, operands = _alone(program, index, known)
    text, arguments = programs.lower(alone).as_text(), alone.arguments()
    verdicts = runner.compare(text, arguments, results, targets)
    names, reference = [], runner.evaluate(text, arguments, "reference")
    for target in targets:
        # The reference's values are looked at however near noise would let them be.
        if target != "reference" and verdicts[target][0] == "same":
            continue
        ours = reference if target == "reference" else runner.evaluate(text, arguments, target)
        found = None if ours is None else deviations.explain(
            node, operands, results, ours, lambda: _agrees(runner, alone, targets, plain=True),
            differs=verdicts[target][0] == "differs",
            only=lambda name: name != "sign_of_nan")  # which is given here
        if found is None or (not found and verdicts[target][0] != "same"):
            return None
        if not deviations.defined(node, found, results, ours, reference):
            return None
        names += [name for name in found if name not in names]
    return names or None


def _explain_within(runner, text, every, node, first, known, results, verdicts):
    """The same for the node among the others, with which a target may fuse it and so compute in
    another order: where a node is the first to differ there, and not on the reference. Only what is
    open may."""
    names = []
    for target, (word, what) in verdicts.items():
        if word != "differs" or int(what.split()[1]) not in range(first, first + node.results):
            continue
        ours = runner.evaluate(text, every.arguments(), target)
        found = ours and deviations.explain(
            node, [ty.np.asarray(known[i]) for i in node.operands], results,
            ours[first:first + node.results], lambda: False,
            only=deviations.OPEN.__contains__)
        if not found:
            return None
        names += [name for name in found if name not in names]
    return names or None


def _explain_pair(runner, program, index, known, targets):
    """The same for what XLA's simplifier makes of a node and one that an operand comes from: with
    the other values given, XLA differs, and does not without that pass."""
    node = program.nodes[index]
    sources = (i for i in range(index) for operand in node.operands if operand in range(
        program.first_value(i), program.first_value(i) + program.nodes[i].results))
    source = next((i for i in sources
                   if (program.nodes[i].name, node.name) in deviations.PAIRS), None)
    if source is None:
        return None
    name = deviations.PAIRS[program.nodes[source].name, node.name]
    start, made = program.first_value(source), program.nodes[source].results
    given = [i for i in dict.fromkeys((*program.nodes[source].operands, *node.operands))
             if i not in range(start, start + made)]
    numbers = {value: new for new, value in enumerate(given)}
    numbers |= {start + k: len(given) + k for k in range(made)}
    nodes = [dataclasses.replace(n, operands=tuple(numbers[i] for i in n.operands))
             for n in (program.nodes[source], node)]
    last = len(numbers)
    pair = programs.Program([ty.np.asarray(known[i]) for i in given],
                            [program.constant(i) for i in given], nodes,
                            range(last, last + node.results))
    if (_agrees(runner, pair, ["reference"], plain=False) or
            not _agrees(runner, pair, targets, plain=True)):
        return None
    return [name]


def _agrees(runner, program, targets, plain):
    return not kinds(judge(runner, program, targets, plain=plain)[0])


def _finding(seed, runner, program, targets, verdicts, folder, rules):
    what = "; ".join(f"{t}: {w} {text}" for t, (w, text) in verdicts.items() if w != "same")
    optimised, trouble = False, []
    try:
        # Does XLA agree with itself?
        optimised = not kinds(judge(runner, program, targets, plain=True)[0])
        small = shrink(runner, program, targets, kinds(verdicts))
        verdicts, wanted = judge(runner, small, targets)
    except Exception:
        small, wanted = program, []
        trouble = [traceback.format_exc().splitlines()[-1]]
    place = folder / "found" / f"{'-'.join(targets)}-{seed}"
    place.mkdir(parents=True, exist_ok=True)
    (place / "program.mlir").write_text(programs.lower(small).as_text())
    ty.save(place / "program.in.npz", "arg", small.arguments())
    ty.save(place / "program.out.npz", "out", wanted)
    lines = [f"seed {seed}: {what}", f"smallest: {verdicts}", str(small)]
    lines += [f"XLA: {[w.tolist() for w in wanted]}"[:3000]]
    if optimised:
        lines.append("XLA without its optimiser agrees.")
    (place / "report.txt").write_text("\n".join(lines + trouble) + "\n")
    return {"status": "differs", "what": what, "smallest": [n.name for n in small.nodes],
            "optimiser": optimised, "rules": rules}
