"""Make files part of a program: embed.py OUTPUT.h NAME=FILE ...

Each file becomes `static const char NAME[]`, NUL-terminated, with the file's bytes. Data is written as an array of numbers,
because compilers limit the length of a string literal.
"""

import sys

BYTES_PER_LINE = 24


def array(name, data):
    lines = []
    for start in range(0, len(data), BYTES_PER_LINE):
        # A character constant has the value of a char, whether char is signed there or not.
        values = (f"'\\{byte:03o}'" if byte > 127 else str(byte) for byte in data[start : start + BYTES_PER_LINE])
        lines.append("    " + "".join(f"{value}," for value in values))
    return "\n".join([f"static const char {name}[] = {{", *lines, "    0", "};", ""])


def main(arguments):
    if len(arguments) < 2 or not all("=" in argument for argument in arguments[1:]):
        sys.exit("usage: embed.py OUTPUT.h NAME=FILE ...")
    pieces = []
    for argument in arguments[1:]:
        name, path = argument.split("=", 1)
        if not name.isidentifier():
            sys.exit(f"embed.py: {name} is no C name")
        with open(path, "rb") as file:
            pieces.append(array(name, file.read()))
    with open(arguments[0], "w", encoding="ascii") as file:
        file.write("/* Made by tools/embed.py at build time. */\n\n" + "\n".join(pieces))


if __name__ == "__main__":
    main(sys.argv[1:])
