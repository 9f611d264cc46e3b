"""Time that passes for one session: the times in its row move into the past."""
import subprocess
import time

from cluster import newest

END = "end of the answer"
# Whatever times the row has; how long ago the session ended changes nothing, and its row would be swept.
TIMES = """SELECT string_agg(format('%1$I = %1$I - make_interval(secs => $1)', attname), ', ') FROM pg_attribute
WHERE attrelid = 'sessions'::regclass AND atttypid = 'timestamptz'::regtype AND attnum > 0 AND attname <> 'ended_at' AND NOT attisdropped"""


class Rows:
    """A psql on the server's database."""

    def __init__(self, url):
        self.process = subprocess.Popen([newest("psql"), "-qXAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, cwd="/")
        self.ask("SET search_path = neuroviews")
        times = self.ask(TIMES)[0][0]
        self.ask(f"PREPARE age(float8, uuid, uuid) AS UPDATE sessions SET {times} WHERE user_id = $2 AND id = $3")

    def ask(self, statement):
        """The rows, each a list of texts."""
        self.process.stdin.write(f"{statement};\n\\echo {END}\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.rstrip("\n") == END:
                return [line.split("\t") for line in lines]
            lines.append(line.rstrip("\n"))
        raise RuntimeError("psql: " + " ".join(lines))

    def close(self):
        self.process.communicate("\\q\n", timeout=60)


class Clock:
    def __init__(self, rows, user, session):
        self.rows, self.user, self.session, self.passed = rows, user, session, 0

    @property
    def now(self):
        return time.monotonic() + self.passed

    def wait(self, seconds):
        self.rows.ask(f"EXECUTE age({seconds}, '{self.user}', '{self.session}')")
        self.passed += seconds
