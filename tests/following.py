"""tacho summary --follow in the background, for tests of programs that are watched while they record."""
import json
import os
import pty
import re
import subprocess
import threading

import tool
import waiting


class Following:
    """It shows at a terminal what it has so far, and writes what it had in the end to a file."""

    def __init__(self, folder, *arguments, **variables):
        self.result, self.shown = folder / "followed.json", ""
        command = [tool.TACHO, "summary", "--follow", "--json", "-o", self.result, *arguments]
        self.screen, theirs = pty.openpty()
        self.process = subprocess.Popen([str(word) for word in command], stdout=theirs, stderr=subprocess.PIPE, text=True,
                                        env=tool.environment(TERM="xterm", **variables))
        os.close(theirs)
        self.reader = threading.Thread(target=self.read_screen)
        self.reader.start()

    def read_screen(self):
        try:
            while piece := os.read(self.screen, 65536):
                self.shown += piece.decode("utf-8", "replace")
        except OSError:  # it has ended
            pass
        os.close(self.screen)

    def finds_nobody(self, where):
        """Returns once it has looked, and nobody was there."""
        line = self.process.stderr.readline()
        assert line == f"tacho: waiting for {where}\n", line

    def shows(self, pattern):
        """Returns once it has shown that, while what it follows still goes on."""
        waiting.until(lambda: re.search(pattern, self.shown, re.MULTILINE) or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.stderr.read()

    def zones(self):
        """Calls by zone, and the notes."""
        err = self.process.communicate(timeout=waiting.LIMIT)[1]
        self.reader.join()
        assert self.process.returncode == 0, err
        table = json.loads(self.result.read_text())
        return {row["zone"]: row["count"] for row in table["rows"]}, " ".join(table["notes"])


BEGUN = "Zones"  # there is a recording, with or without zones
TURNS = r"^turn .*% *\S* +(\d\d+|\d[\d,]{3,}) "  # ten or more calls of the zone of `zones wait`
