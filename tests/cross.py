"""How tests compile for arm64: by Debian's cross compiler, or by clang with the same libraries where gcc-multilib, which cannot stand beside
that compiler, is installed."""
import shutil

import tool


def arm64():
    """The first words of a command that compiles and links for arm64."""
    if shutil.which("aarch64-linux-gnu-gcc"):
        return ["aarch64-linux-gnu-gcc"]
    # clang finds the linker by its name.
    tool.need("aarch64-linux-gnu-ld")
    return [tool.need("clang"), "--target=aarch64-linux-gnu"]
