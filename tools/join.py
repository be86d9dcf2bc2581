#!/usr/bin/env python3
"""Joins the recorder into one source and one header: join.py OUTPUT.c OUTPUT.h INCLUDES SOURCE...

Headers of the recorder's own are put where they are first included, and left out after that. Those that programs include (INCLUDES/tacho)
become OUTPUT.h. Static names must differ between the sources: the compiler says so where they do not."""
import os
import re
import sys

QUOTED = re.compile(r'#include "([a-z_/]+\.h)"')


def joined(path, public, seen, taken):
    """The lines of a file. Public headers, which lie in `public`, go to `taken` instead (None: they are what is being joined)."""
    lines = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = QUOTED.match(line)
            if not match:
                lines.append(line)
                continue
            beside = os.path.join(os.path.dirname(path), os.path.basename(match.group(1)))
            header = beside if os.path.exists(beside) else os.path.join(public, os.path.basename(match.group(1)))
            if header in seen:
                continue
            seen.add(header)
            if taken is not None and header.startswith(public):
                taken += joined(header, public, seen, None)
            else:
                lines += joined(header, public, seen, taken)
    return lines


def main():
    source_output, header_output, includes, *sources = sys.argv[1:]
    name = os.path.basename(header_output)
    lines = [f"/* {os.path.basename(source_output)}: Tacho's recorder as one file: compile it with your program (-pthread, and -ldl where the\n"
             f" * system's library is old), and include {name}. */\n", "#ifndef _GNU_SOURCE\n", "#define _GNU_SOURCE\n", "#endif\n",
             f'#include "{name}"\n']
    header = [f"/* {name}: what programs include of Tacho's recorder, as one file. */\n"]
    seen = set()
    for source in sorted(sources):
        lines += ["\n"] + joined(source, os.path.join(includes, "tacho"), seen, header)
    for path, text in ((source_output, lines), (header_output, header)):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(text)


if __name__ == "__main__":
    main()
