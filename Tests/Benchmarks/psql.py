"""A server's database, past the server."""
import glob
import os
import subprocess
import sys


def program(name):
    """The newest of PostgreSQL's programs with that name."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: float(path.split("/")[4]))
    return found[-1] if found else name


def environment(server, **more):
    """What libpq's programs need to reach the database as the server does."""
    return dict(os.environ, PGHOST=os.path.join(server.data, "socket"), PGPORT="5432", PGUSER="neuroviews",
                PGDATABASE="neuroviews", **more)


def say(server, sql):
    """Runs statements as the owner of the tables and returns what they give, unaligned."""
    return answer(environment(server), f"SET ROLE neuroviews_owner; SET search_path = neuroviews; {sql}")


def administer(server, sql):
    """Runs statements as the superuser of the private cluster."""
    return answer(environment(server) | {"PGUSER": "postgres"}, sql)


def answer(variables, sql):
    done = subprocess.run([program("psql"), "-qXAt", "-v", "ON_ERROR_STOP=1"], text=True, capture_output=True,
                          env=variables, input=sql)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout.strip()
