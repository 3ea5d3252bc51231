"""Times a program with `halyard bench`, in a process of its own."""

import json
import subprocess
import sys


def bench(halyard, program, report, *options):
    """Returns the row that `halyard bench` writes about the program to the file `report`."""
    report.unlink(missing_ok=True)
    process = subprocess.run([halyard, "bench", program, *options, f"--json={report}"],
                             stdout=subprocess.DEVNULL)
    if process.returncode != 0:
        sys.exit(f"`halyard bench {program}` failed")
    return json.loads(report.read_text().splitlines()[-1])
