"""Command lines of the tool in forked children of one process: tests/programs/driver.c, whose protocol this speaks.

A start of the tool costs a millisecond, of a sanitized one ten. A fork of a process that has just been started costs a fraction of
that, and what runs in it is the same code in the same state.
"""
import array
import atexit
import os
import selectors
import signal
import socket
import struct
import subprocess
import threading
import time

HEAD = struct.Struct("=III")
NAME = struct.Struct("=i")
END = struct.Struct("=iIQ")


class Driver:
    """One process that runs one command line after the other."""

    def __init__(self, program, variables):
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen([program, str(theirs.fileno())], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=variables)

    def stop(self):
        self.socket.close()
        self.process.wait()

    def receive(self, shape):
        got = b""
        while len(got) < shape.size:
            part = self.socket.recv(shape.size - len(got))
            if not part:
                raise EOFError(f"the driver ended with {self.process.wait()}")
            got += part
        return shape.unpack(got)

    def start(self, words, folder, variables, streams):
        """Asks for a command line with these descriptors; the id of its process."""
        strings = [str(folder), *words, *[f"{name}={value}" for name, value in variables.items()]]
        body = b"".join(os.fsencode(each) + b"\0" for each in strings)
        head = HEAD.pack(len(body), len(words), len(variables))
        self.socket.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))])
        self.socket.sendall(body)
        return self.receive(NAME)[0]

    def end(self):
        """What subprocess would call the return code, and the seconds of CPU."""
        status, _, microseconds = self.receive(END)
        return os.waitstatus_to_exitcode(status), microseconds / 1e6


def exchange(given, into, out, err, deadline):
    """Writes all of `given`, reads the two others until both are closed; None where that takes too long."""
    read = {out: [], err: []}
    with selectors.DefaultSelector() as waiting:
        waiting.register(out, selectors.EVENT_READ)
        waiting.register(err, selectors.EVENT_READ)
        if given:
            os.set_blocking(into, False)
            waiting.register(into, selectors.EVENT_WRITE)
        else:
            os.close(into)
        given = memoryview(given)
        while waiting.get_map():
            left = deadline - time.monotonic()
            for key, _ in waiting.select(max(left, 0)):
                if key.fd == into:
                    try:
                        given = given[os.write(into, given[:1 << 16]):]
                    except BrokenPipeError:
                        given = given[:0]  # nobody reads the rest
                    if given:
                        continue
                else:
                    part = os.read(key.fd, 1 << 16)
                    if part:
                        read[key.fd].append(part)
                        continue
                waiting.unregister(key.fd)
                os.close(key.fd)
            if left < 0:
                for fd in list(waiting.get_map()):
                    os.close(fd)
                return None
    return b"".join(read[out]), b"".join(read[err])


class Drivers:
    """The drivers of one program: as many as command lines run at a time."""

    def __init__(self, program, variables):
        self.program, self.variables = program, variables
        self.free, self.lock = [], threading.Lock()
        self.seconds = 0.0  # of CPU that command lines took
        atexit.register(self.stop)

    def stop(self):
        with self.lock:
            for driver in self.free:
                driver.stop()
            self.free = []

    def take(self):
        with self.lock:
            return self.free.pop() if self.free else Driver(self.program, self.variables)

    def run(self, words, stdin, folder, variables, timeout):
        """Code, output and complaints; `stdin` is bytes or a file object."""
        driver = self.take()
        pipes = [os.pipe() for _ in range(3 if isinstance(stdin, bytes) else 2)]
        out, err = pipes[0], pipes[1]
        below = pipes[2] if len(pipes) == 3 else (stdin.fileno(), None)
        name = driver.start(words, folder, variables, [below[0], out[1], err[1]])
        for fd in (out[1], err[1], *([below[0]] if below[1] else [])):
            os.close(fd)
        done = exchange(stdin if below[1] else b"", below[1] or os.open(os.devnull, os.O_WRONLY), out[0], err[0], time.monotonic() + timeout)
        if done is None:
            os.kill(name, signal.SIGKILL)
        code, seconds = driver.end()
        with self.lock:
            self.seconds += seconds
            self.free.append(driver)
        if done is None:
            raise subprocess.TimeoutExpired(words, timeout)
        return code, *done
