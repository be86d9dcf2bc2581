"""Builds the extension modules against the installed libraries: libtacho answers, libtacho-record records.

What is known of them comes from pkg-config, so that `make install` is all that this needs; the project's own build sets
PKG_CONFIG_PATH to libraries that are not installed yet.
"""
import shlex
import subprocess
import sys

from setuptools import Extension, setup


def flags(package, *what):
    command = ["pkg-config", *what, package]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("tacho: pkg-config is not installed")
    if done.returncode:
        sys.exit(f"tacho: {package} is not installed (run `make install` in the folder above): {done.stderr.strip()}")
    return shlex.split(done.stdout)


def extension(name, package, sources):
    linked = flags(package, "--libs")
    folders = [flag[2:] for flag in linked if flag.startswith("-L")]
    return Extension(
        f"tacho.{name}",
        [f"source/{source}" for source in sources],
        depends=["source/record.h", "source/answers.h"],
        extra_compile_args=["-std=c17", "-Wall", "-Wextra", *flags(package, "--cflags")],
        extra_link_args=linked,
        runtime_library_dirs=folders or flags(package, "--variable=libdir"),
    )


setup(
    packages=["tacho", "tacho.children", "tacho.as_tracy.tracy"],
    ext_modules=[
        extension("_record", "tacho-record", ["record.c", "sites.c", "calls.c", "clock.c", "hooks.c", "monitoring.c", "zones.c"]),
        extension("_answers", "tacho", ["answers.c", "column.c", "profile.c", "query.c", "result.c", "table.c", "words.c", "writer.c"]),
        extension("_ops", "tacho-record", ["ops.c"]),
    ],
)
