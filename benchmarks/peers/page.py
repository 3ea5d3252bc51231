"""Makes a page of the results: one HTML file with plots in SVG, which needs nothing else."""

import html as escape
import math

import report

COLOURS = {"ONNX Runtime": "#1b6ca8", "OpenVINO": "#7a4ea3", "XLA:CPU": "#2e8b57",
           "IREE": "#c0392b", "PyTorch": "#d98032", "PyTorch compiled": "#a0522d"}
STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;
color:#1d2327;background:#fff}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
th,td{padding:.2rem .55rem;text-align:right;border-bottom:1px solid #e3e6e8;white-space:nowrap}
th:first-child,td:first-child{text-align:left}.slow{color:#b3261e}.gap{color:#8a9399}
.scroll{overflow-x:auto}svg{max-width:100%;height:auto}ul{font-size:13px}"""
LEFT, WIDTH, STEP = 230, 620, 17
LOWEST, HIGHEST = 0.25, 16


def engines_of(rows):
    names = {}
    for row in rows:
        names.update(dict.fromkeys(row["peers"]))
    return [name for name in COLOURS if name in names] + [n for n in names if n not in COLOURS]


def colour(name):
    return COLOURS.get(name, "#555")


def place(ratio):
    """Returns where a ratio is on the axis, which is logarithmic and ends at LOWEST and HIGHEST."""
    inside = min(max(ratio, LOWEST), HIGHEST)
    return LEFT + WIDTH * math.log(inside / LOWEST) / math.log(HIGHEST / LOWEST)


def axis(height):
    parts, ratio = [], LOWEST
    while ratio <= HIGHEST:
        x, bold = place(ratio), ratio == 1
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="22" y2="{height}" '
                     f'stroke="{"#555" if bold else "#dde1e4"}"/>'
                     f'<text x="{x:.1f}" y="14" text-anchor="middle">{ratio:g}×</text>')
        ratio *= 2
    return "".join(parts)


def svg(height, label, body):
    return (f'<svg viewBox="0 0 {LEFT + WIDTH + 40} {height + 8}" width="{LEFT + WIDTH + 40}" '
            f'role="img" aria-label="{escape.escape(label)}" font-size="11" '
            f'font-family="system-ui,sans-serif">{axis(height)}{body}</svg>')


def text(x, y, words, anchor="end"):
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape.escape(words)}</text>'


def mean_plot(rows, engines):
    """A bar for each engine: the geometric means of its ratios, without and with tuning."""
    bars, y = [], 36
    for name in engines:
        for key, opacity, what in (("ratio", 1, ""),
                                   ("ratio_tuned", 0.55, " (Halyard tuned)")):
            mean = report.mean_of(rows, name, key)
            if mean is None:
                continue
            start, end = sorted((place(1), place(mean)))
            count = len(report.ratios_of(rows, name, key))
            bars.append(text(LEFT - 8, y + 4, name + what) +
                        f'<rect x="{start:.1f}" y="{y - 6}" width="{max(end - start, 1):.1f}" '
                        f'height="11" fill="{colour(name)}" opacity="{opacity}"/>' +
                        text(end + 5, y + 4, f"{mean:.2f}× ({count} rows)", "start"))
            y += STEP
    return svg(y, "Geometric means", "".join(bars))


def row_plot(rows, engines):
    """A line for each row, with a dot for each engine."""
    parts, y = [], 36
    for row in rows:
        parts.append(text(LEFT - 8, y + 4, row["name"]) +
                     f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y}" y2="{y}" stroke="#f0f2f3"/>')
        for name in engines:
            peer = row["peers"].get(name, {})
            if "ratio" in peer:
                tip = f"{row['name']}: {name} {peer['ratio']:.2f}×"
                parts.append(f'<circle cx="{place(peer["ratio"]):.1f}" cy="{y}" r="4" '
                             f'fill="{colour(name)}" fill-opacity="0.8"><title>'
                             f'{escape.escape(tip)}</title></circle>')
        y += STEP
    return svg(y, "Ratios of each row", "".join(parts))


def legend(engines):
    return "<p>" + " &nbsp; ".join(f'<span style="color:{colour(name)}">●</span> '
                                   f"{escape.escape(name)}" for name in engines) + "</p>"


def ratio_cell(ratio, limit=1.0):
    return f'<td{" class=slow" if ratio < limit else ""}>{ratio:.2f}×</td>'


def peer_cells(peer):
    if "ratio" in peer:
        return f"<td>{peer['ms']:.3f}</td>" + ratio_cell(peer["ratio"])
    reason = escape.escape(peer.get("gap", "it was not asked"), quote=True)
    return f'<td class=gap colspan=2 title="{reason}">gap</td>'


def table(rows, engines):
    tuned = any("halyard_tuned_ms" in row for row in rows)
    heads = ["row", "Halyard, ms"] + ["tuned, ms"] * tuned
    head = "".join(f"<th>{word}</th>" for word in heads) + "".join(
        f"<th colspan=2>{escape.escape(name)}</th>" for name in engines)
    head += "<th>best of all</th>" + "<th>best, tuned</th>" * tuned + "<th>of copy</th>"
    head += "<th>of peak</th><th>GFLOP/s</th>"
    lines = []
    for row in rows:
        cells = f"<td>{escape.escape(row['name'])}</td>"
        if "gap" in row:
            width = 5 + 2 * len(engines) + 2 * tuned
            reason = escape.escape(row["gap"])
            lines.append(f"<tr>{cells}<td class=slow colspan={width}>{reason}</td></tr>")
            continue
        cells += f"<td>{row['halyard_ms']:.3f}</td>"
        if tuned:
            cells += (f"<td>{row['halyard_tuned_ms']:.3f}</td>" if "halyard_tuned_ms" in row
                      else "<td></td>")
        cells += "".join(peer_cells(row["peers"].get(name, {})) for name in engines)
        for key in ["ratio_to_best"] + ["ratio_to_best_tuned"] * tuned:
            cells += ratio_cell(row[key]) if key in row else "<td></td>"
        for key in ("of_copy", "of_peak"):
            cells += f"<td>{row[key]:.0%}</td>" if key in row else "<td></td>"
        cells += f"<td>{row['gflops']:.1f}</td>" if "gflops" in row else "<td></td>"
        lines.append(f"<tr>{cells}</tr>")
    return f"<div class=scroll><table><tr>{head}</tr>{''.join(lines)}</table></div>"


def machine(run):
    versions = ", ".join(f"{name} {version or 'not installed'}"
                         for name, version in run["versions"].items())
    return (f"<p>{escape.escape(run['cpu'])} ({escape.escape(', '.join(run['features']))}), "
            f"{len(run['cores'])} cores, {run['rounds']} rounds of {run['seconds']:g} s. "
            f"{escape.escape(run['halyard'])}, commit {escape.escape(run['commit'])}; "
            f"{escape.escape(versions)}.</p>")


def gap_list(rows):
    lines = report.gaps(rows)
    return "" if not lines else "<h2>Gaps</h2><ul>" + "".join(
        f"<li>{escape.escape(line)}</li>" for line in lines) + "</ul>"


def html(runs, rows):
    """Returns the page of a file's runs and rows."""
    engines, groups = engines_of(rows), dict.fromkeys(row.get("group", "networks") for row in rows)
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
             'content="width=device-width"><title>Halyard beside other engines</title>'
             f"<style>{STYLE}</style><h1>Halyard beside other engines on CPUs</h1>",
             "".join(machine(run) for run in runs[-1:]),
             "<p>Ratios are an engine's time over Halyard's: above 1×, Halyard is faster. Where an "
             "engine has a gap, its reason is below.</p>",
             "<h2>Geometric means of all rows</h2>", mean_plot(rows, engines),
             *(f"<p>{escape.escape(line)}</p>" for line in report.compile_times(rows, engines))]
    for group in groups:
        some = [row for row in rows if row.get("group", "networks") == group]
        parts += [f"<h2>{escape.escape(group.capitalize())}</h2>", legend(engines),
                  row_plot(some, engines), table(some, engines)]
    return "\n".join([*parts, gap_list(rows)]) + "\n"
