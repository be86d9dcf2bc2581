"""A board for tests: an ssh daemon on this machine, with keys of its own."""
import os
import shlex
import shutil
import socket
import subprocess

import tool
import waiting

SSHD = "/usr/sbin/sshd"


def make_key(path):
    subprocess.run([tool.need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path], check=True)


class Board:
    """An ssh daemon with keys of its own, and the command that reaches it."""

    def __init__(self, folder, first=""):
        """`first` is what the shell does before every command."""
        assert os.path.exists(SSHD), "sshd is not installed: tools/setup.sh test installs it"
        self.folder, self.port = folder, tool.free_port()
        for name in ("host", "user"):
            make_key(folder / name)
        self.known(folder / "host.pub")
        shutil.copy(folder / "user.pub", folder / "authorized")
        (folder / "forced").write_text(f'{first}\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n')
        (folder / "config").write_text("\n".join([
            f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {folder}/host", f"AuthorizedKeysFile {folder}/authorized",
            "PidFile none", "StrictModes no", "UsePAM no", "PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes",
            "SetEnv SHLVL=1",  # a shell in a shell: else bash reads what the user of this machine wrote for logins
            *([f"ForceCommand . {folder}/forced"] if first else [])]) + "\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)  # where the daemon separates privileges
        self.daemon = subprocess.Popen([SSHD, "-D", "-f", folder / "config", "-E", folder / "log"])
        waiting.until(self.answers)

    def answers(self):
        assert self.daemon.poll() is None, (self.folder / "log").read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def known(self, public):
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {public.read_text()}")

    def ssh(self, port=None, known=None):
        return shlex.join(["ssh", "-F", "none", "-p", str(port or self.port), "-i", f"{self.folder}/user", "-o", "IdentitiesOnly=yes",
                           "-o", f"UserKnownHostsFile={known or self.folder / 'known'}", "-o", "KexAlgorithms=curve25519-sha256"])

    def variables(self, there):
        return {"TACHO_SSH": self.ssh(), "TACHO_REMOTE_DIR": str(there)}

    def close(self):
        self.daemon.terminate()
        self.daemon.wait()
