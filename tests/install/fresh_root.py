"""A minimal Debian 12 in a folder, in which commands run as root, with none of this machine's
packages, files or variables. Needs root and debootstrap; packages come from where this machine's
own come from."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def check(*command, **options):
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                 f"{done.stdout[-4000:]}")
    return done.stdout


def make_base(folder):
    """Installs the smallest Debian in a folder."""
    if shutil.which("debootstrap") is None:
        check("apt-get", "update", "-qq")
        check("apt-get", "install", "-y", "-qq", "debootstrap")
    sources = sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"))[0]
    uri = next(line.split()[1] for line in sources.read_text().splitlines()
               if line.startswith("URIs:"))
    check("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", folder, uri)
    (folder / "etc/apt/sources.list").unlink()
    shutil.copy(sources, folder / "etc/apt/sources.list.d")
    for file in pathlib.Path("/etc/apt/apt.conf.d").glob("99*"):
        shutil.copy(file, folder / "etc/apt/apt.conf.d")
    for name in ("resolv.conf", "hosts"):
        shutil.copy(pathlib.Path("/etc") / name, folder / "etc")
    for name in ("etc/ssl/certs", "usr/share/keyrings"):
        # A link of the new system would lead to the same file of this one.
        check("cp", "-rL", "--remove-destination", f"/{name}/.", folder / name)


class Root:
    """A copy of a base, which `with` removes."""

    def __init__(self, base):
        self.base = base

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fresh.", dir="/var/tmp"))
        check("cp", "-a", f"{self.base}/.", self.folder)
        return self

    def __exit__(self, *unused):
        check("rm", "-rf", "--one-file-system", self.folder)

    def run(self, command, fails=False, folder="/root", **variables):
        """What a bash command prints. It must succeed, or fail if it is to."""
        entered = ('mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && '
                   'exec chroot "$1" env -i "${@:3}" bash -c "$2"')
        given = [f"{name}={value}" for name, value in
                 ({"HOME": "/root", "LANG": "C.UTF-8", "PATH": PATH,
                   "DEBIAN_FRONTEND": "noninteractive"} | variables).items()]
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "bash", "-c", entered, "_",
             str(self.folder), f"cd {folder} && {command}", *given],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if (done.returncode != 0) != fails:
            sys.exit(f"{command}: exit status {done.returncode} in a fresh Debian\n"
                     f"{done.stdout[-4000:]}")
        return done.stdout

    def install(self, *packages):
        """Packages of Debian, or files, with what they depend on and nothing else."""
        self.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends "
                 + " ".join(packages))

    def give(self, source, name):
        """Copies a file or folder of this machine to /root/NAME."""
        check("cp", "-a", source, self.folder / "root" / name)
