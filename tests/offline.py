#!/usr/bin/python3
"""Runs a command where there is no network but this machine's own address: unshare --net offline.py COMMAND..."""
import fcntl
import os
import socket
import struct
import sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def main():
    names = [name for _, name in socket.if_nameindex()]
    if names != ["lo"]:
        sys.exit(f"offline.py: there is more than lo: {names}")
    with socket.socket() as made:
        fcntl.ioctl(made, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
