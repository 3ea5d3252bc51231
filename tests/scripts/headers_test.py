"""No file is compiled with a header of /usr/local or /opt, which a machine may happen to have: what Halyard needs
comes from Debian's packages and from .venv, whose folders a target has to name.

usage: headers_test.py NINJA BUILD-FOLDER
"""
import subprocess
import sys
import unittest

NINJA, BUILD = sys.argv[1:3]


class Headers(unittest.TestCase):
    def test_come_from_packages(self):
        text = subprocess.run([NINJA, "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
        self.assertIn(".cc.o: #deps", text)
        made, wrong = "", []
        for line in text.splitlines():
            if ": #deps" in line:
                made = line.split(":")[0]
            elif line.strip().startswith(("/usr/local/", "/opt/")):
                wrong.append(f"{made}: {line.strip()}")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
