"""Packs an installed tree and the Python package into a wheel, and prints its path. By hand, with zipfile: a build
backend would build it all anew. The same inputs make the same file."""

from __future__ import annotations

import argparse
import base64
import hashlib
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SOURCE = HERE.parent
DOCUMENTATION = Path("/usr/share/doc")
COMMON_LICENSES = Path("/usr/share/common-licenses")
# What is linked in, by the Debian package that has the licence.
LINKED = {
    "libabsl-dev", "libasio-dev", "libc-ares-dev", "libc6-dev", "libcli11-dev", "libexpected-dev", "libfmt-dev",
    "libgrpc-dev", "libprotobuf-dev", "libre2-dev", "libspdlog-dev", "libsqlite3-dev", "libsqlitecpp-dev",
    "libstdc++-12-dev", "libtomlplusplus-dev", "libzstd-dev", "nlohmann-json3-dev", "zlib1g-dev",
}  # fmt: skip
# Those texts name these by their place on Debian.
NAMED = ("Apache-2.0", "GPL-2", "GPL-3", "LGPL-2.1", "LGPL-3")


@dataclass(frozen=True)
class Kind:
    """One of the two wheels."""

    distribution: str
    package: str
    summary: str
    entry: str
    parts: tuple[str, ...]  # of the installed tree
    left_out: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


LAUNCHER = Kind(
    distribution="ringmaster_launcher",
    package="ringmaster",
    summary="Launcher and watcher for distributed PyTorch jobs, in torchrun's place",
    entry="ringmaster = ringmaster._command:main",
    parts=("bin/", "libexec/", "share/ringmaster/"),
)
DASHBOARD = Kind(
    distribution="ringmaster_dashboard",
    package="ringmaster_dashboard",
    summary="Dashboard for distributed PyTorch jobs, with its Qt",
    entry="ringmaster-gui = ringmaster_dashboard:main",
    parts=("bin/", "lib/", "plugins/", "share/ringmaster/", "share/licenses/"),
    left_out=("bin/ringmaster",),
    requires=("ringmaster-launcher=={version}",),
)


class Wheel:
    def __init__(self, kind: Kind, version: str, platform: str) -> None:
        self.kind = kind
        self.version = version
        self.tag = f"py3-none-{platform}"
        self.information = f"{kind.distribution}-{version}.dist-info"
        self._files: dict[str, tuple[bytes, int]] = {}

    def add(self, place: str, content: bytes | str, *, runs: bool = False) -> None:
        content = content.encode() if isinstance(content, str) else content
        self._files[place] = (content, 0o755 if runs else 0o644)

    def write(self, folder: Path) -> Path:
        record = f"{self.information}/RECORD"
        lines = [f"{place},sha256={_digest(content)},{len(content)}" for place, (content, _) in self._files.items()]
        self.add(record, "\n".join([*lines, f"{record},,", ""]))
        path = folder / f"{self.kind.distribution}-{self.version}-{self.tag}.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for place, (content, mode) in self._files.items():
                entry = zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                # The run bit survives pip and uv; a link wouldn't.
                entry.external_attr = (stat.S_IFREG | mode) << 16
                archive.writestr(entry, content)
        return path


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def add_tree(wheel: Wheel, tree: Path) -> None:
    """bin, libexec and share as they are installed: the command finds its parts by its own place."""
    for file in sorted(tree.rglob("*")):
        place = file.relative_to(tree).as_posix()
        wanted = place.startswith(wheel.kind.parts) and place not in wheel.kind.left_out
        if file.is_symlink():
            raise SystemExit(f"{place} is a link, which pip would write as a text")
        if file.is_file() and wanted:
            wheel.add(f"{wheel.kind.package}/_tree/{place}", file.read_bytes(), runs=bool(file.stat().st_mode & stat.S_IXUSR))


def add_python(wheel: Wheel) -> None:
    for file in sorted((HERE / "python" / wheel.kind.package).iterdir()):
        if file.suffix == ".py" or file.name == "py.typed":
            wheel.add(f"{wheel.kind.package}/{file.name}", file.read_bytes())


def add_licenses(wheel: Wheel) -> list[str]:
    folder = f"{wheel.information}/licenses"
    texts = {"LICENSE": SOURCE / "LICENSE"}
    texts.update({f"linked/{package}": DOCUMENTATION / package / "copyright" for package in sorted(LINKED)})
    texts.update({f"linked/common-licenses/{name}": COMMON_LICENSES / name for name in NAMED})
    for name, text in texts.items():
        wheel.add(f"{folder}/{name}", text.read_bytes())
    return list(texts)


def add_information(wheel: Wheel, licenses: list[str]) -> None:
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {wheel.kind.distribution.replace('_', '-')}",
        f"Version: {wheel.version}",
        f"Summary: {wheel.kind.summary}",
        "License-Expression: GPL-3.0-or-later",
        *(f"License-File: {name}" for name in licenses),
        "Classifier: Environment :: Console",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Typing :: Typed",
        "Requires-Python: >=3.9",
        *(f"Requires-Dist: {one.format(version=wheel.version)}" for one in wheel.kind.requires),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "python" / "README.md").read_text(encoding="utf-8"),
    ]
    wheel.add(f"{wheel.information}/METADATA", "\n".join(metadata))
    wheel.add(
        f"{wheel.information}/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: ringmaster\nRoot-Is-Purelib: false\nTag: {wheel.tag}\n",
    )
    wheel.add(f"{wheel.information}/entry_points.txt", f"[console_scripts]\n{wheel.kind.entry}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, required=True, help="what cmake --install made")
    parser.add_argument("--version", required=True)
    parser.add_argument("--platform", required=True, help="for example manylinux_2_34_x86_64")
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--dashboard", action="store_true", help="its wheel instead of the command's")
    options = parser.parse_args()
    wheel = Wheel(DASHBOARD if options.dashboard else LAUNCHER, options.version, options.platform)
    add_python(wheel)
    add_tree(wheel, options.tree)
    add_information(wheel, add_licenses(wheel))
    print(wheel.write(options.into))


if __name__ == "__main__":
    main()
