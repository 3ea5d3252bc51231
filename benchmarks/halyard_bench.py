"""Times a program with `halyard bench`, in a separate process."""

import json
import subprocess
import sys


def bench(halyard, program, report, *options, environment=None):
    """Runs `halyard bench`, which writes to the file `report`, and returns the program's row.
    `environment`: its variables, if not this process's."""
    report.unlink(missing_ok=True)
    process = subprocess.run([halyard, "bench", program, *options, f"--json={report}"],
                             env=environment, stdout=subprocess.DEVNULL)
    if process.returncode != 0:
        sys.exit(f"`halyard bench {program}` failed")
    return json.loads(report.read_text().splitlines()[-1])
