"""The server's own statements, as pgbench takes them."""
import re

FOLDER = "Sources/CloudSync/"
DECLARATION = r'static let {name} = Statement\(\s*(?:"""\n(.*?)"""|"(.*?)")'


def text(file, name):
    """The SQL of a `Statement` in the sources."""
    with open(FOLDER + file) as source:
        found = re.search(DECLARATION.format(name=name), source.read(), re.S)
    return re.sub(r"\s+", " ", found.group(1) or found.group(2)).strip()


def script(*steps, begin=()):
    """A pgbench script that sends the steps as the server does: in one pipeline, one Sync behind them. A step is an SQL text and
    what its parameters are: the names of pgbench's variables, expressions in parentheses, or None for NULL."""
    lines = [prepared(sql, parameters) for sql, parameters in steps]
    return "\n".join([*begin, "\\startpipeline", *lines, "\\endpipeline", ""])


def prepared(sql, parameters):
    # pgbench would take the minutes of a time's format for a variable.
    sql = sql.replace("HH24:MI:SS", 'HH24":"MI":"SS')
    return re.sub(r"\$(\d+)", lambda match: value(parameters[int(match.group(1)) - 1]), sql) + ";"


def value(name):
    """A variable, NULL, or an expression in parentheses."""
    if name is None:
        return "nullif(:nothing::text, '-')"
    return name if name.startswith("(") else ":" + name
