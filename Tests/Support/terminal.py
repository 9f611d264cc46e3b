"""Runs a command on a terminal of its own, as a person would: waits for texts, and types. Standard input is a JSON document
{"command": […], "environment": {…}, "steps": [[TEXT, TYPED], …], "seconds": N}. Prints {"status": N, "shown": TEXT}, where status is 128 and the
signal's number for a command that a signal ended."""
import json
import os
import pty
import select
import signal
import sys
import time


class Terminal:
    """A command on a terminal, and what it has shown."""

    def __init__(self, command, environment, seconds):
        self.child, self.descriptor = pty.fork()
        if self.child == 0:
            os.execvpe(command[0], command, environment)
        self.deadline = time.monotonic() + seconds
        self.shown, self.read_to = "", 0

    def more(self):
        """Waits for output. Returns False at its end."""
        left = self.deadline - time.monotonic()
        if not select.select([self.descriptor], [], [], max(0, left))[0]:
            raise TimeoutError("nothing more was shown in time")
        try:
            piece = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.shown += piece.decode(errors="replace")
        return bool(piece)

    def wait_for(self, text):
        """Reads until the text is shown behind that of the former step."""
        while (place := self.shown.find(text, self.read_to)) < 0:
            if not self.more():
                raise EOFError("the command ended")
        self.read_to = place + len(text)

    def end(self):
        while self.more():
            pass
        _, status = os.waitpid(self.child, 0)
        code = os.waitstatus_to_exitcode(status)
        return 128 - code if code < 0 else code


def main():
    wanted = json.load(sys.stdin)
    terminal = Terminal(wanted["command"], wanted["environment"], wanted["seconds"])
    text = None
    try:
        for text, typed in wanted["steps"]:
            terminal.wait_for(text)
            os.write(terminal.descriptor, typed.encode())
        text = None
        json.dump({"status": terminal.end(), "shown": terminal.shown}, sys.stdout)
    except (TimeoutError, EOFError) as error:
        os.kill(terminal.child, signal.SIGKILL)
        sys.exit(f"waited for {text!r}: {error}; shown: {terminal.shown!r}")


if __name__ == "__main__":
    main()
