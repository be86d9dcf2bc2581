"""Installs one file, tacho-tracy.pth, which puts the package `tracy` of Tacho at the end of sys.path: any other `tracy` that is installed is found first."""
import os

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py


class BuildPath(build_py):
    def run(self):
        self.mkpath(self.build_lib)
        with open(self.path(), "w") as file:
            file.write(os.path.join("tacho", "as_tracy") + "\n")

    def path(self):
        return os.path.join(self.build_lib, "tacho-tracy.pth")

    def get_outputs(self, include_bytecode=True):
        return [self.path()]


class OnePath(Distribution):
    def has_pure_modules(self):
        return True


setup(packages=[], py_modules=[], distclass=OnePath, cmdclass={"build_py": BuildPath})
