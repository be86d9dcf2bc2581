"""Make files part of a program: embed.py OUTPUT.h NAME=FILE ... NAME=sha256:FILE ... NAME=policy:SCRIPT:STYLE ... NAME=timeline:SCRIPT:STYLE ...

Each file becomes `static const char NAME[]`, NUL-terminated, with the file's bytes. Data is written as an array of numbers,
because compilers limit the length of a string literal. With sha256: it is the file's hash instead, as a Content-Security-Policy
names it; with policy: the whole policy of a page that talks to the server it came from, and runs this script and style alone; with
timeline: the same of a page that stands in others of the server, and has workers.
"""

import base64
import hashlib
import sys

BYTES_PER_LINE = 24
HASHED = "sha256:"
POLICY = "policy:"
TIMELINE = "timeline:"


def array(name, data):
    lines = []
    for start in range(0, len(data), BYTES_PER_LINE):
        # A character constant has the value of a char, whether char is signed there or not.
        values = (f"'\\{byte:03o}'" if byte > 127 else str(byte) for byte in data[start : start + BYTES_PER_LINE])
        lines.append("    " + "".join(f"{value}," for value in values))
    return "\n".join([f"static const char {name}[] = {{", *lines, "    0", "};", ""])


def content(source):
    for kind, more in ((POLICY, "img-src data:; frame-src 'self'; frame-ancestors 'none'"), (TIMELINE, "img-src data: blob:; worker-src blob:; frame-ancestors 'self'")):
        if source.startswith(kind):
            script, style = (content(HASHED + path).decode() for path in source.removeprefix(kind).split(":"))
            return f"default-src 'none'; script-src '{script}'; style-src '{style}'; connect-src 'self'; base-uri 'none'; form-action 'none'; {more}".encode()
    path = source.removeprefix(HASHED)
    with open(path, "rb") as file:
        data = file.read()
    return data if path == source else b"sha256-" + base64.b64encode(hashlib.sha256(data).digest())


def main(arguments):
    if len(arguments) < 2 or not all("=" in argument for argument in arguments[1:]):
        sys.exit("usage: embed.py OUTPUT.h NAME=[sha256:]FILE ...")
    pieces = []
    for argument in arguments[1:]:
        name, source = argument.split("=", 1)
        if not name.isidentifier():
            sys.exit(f"embed.py: {name} is no C name")
        pieces.append(array(name, content(source)))
    with open(arguments[0], "w", encoding="ascii") as file:
        file.write("/* Made by tools/embed.py at build time. */\n\n" + "\n".join(pieces))


if __name__ == "__main__":
    main(sys.argv[1:])
