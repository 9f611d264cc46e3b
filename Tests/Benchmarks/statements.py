"""The server's own statements, as pgbench takes them."""
import re

FOLDER = "Sources/CloudSync/"
# What the sources interpolate by a function, as SQL.
CALLS = [
    (r'\\\(Timestamp\.sql\("([^"]*)"\)\)', r"(extract(epoch FROM \1) * 1000000)::bigint"),
    (r'\\\(time\("([^"]*)"\)\)', r"'epoch'::timestamptz + \1 * interval '1 microsecond'"),
    (r'\\\(author\(session: "([^"]*)"\)\)',
     r"(SELECT coalesce(nullif(current_setting('app.device_id', true), ''), \1::text))"),
]
DECLARATION = r'\b(?:{name} = (?:Statement|Query)\((?=\s*")|func {name}\()'


def text(file, name, /, **values):
    """The SQL of a `Statement` or a `Query` in the sources, or what a function makes. `values` has what is interpolated, by the last
    word of its expression."""
    with open(FOLDER + file) as source:
        rest = re.split(DECLARATION.format(name=name), source.read(), maxsplit=1)[1].lstrip()
    line = re.match(r'(?:_ collection: Collection\) -> String \{\s*)?"(?!"")(.*?)"\s*[\n)]', rest)
    found = line or re.search(r'"""\n(.*?)"""', rest, re.S)
    return filled(found.group(1), values)


def constant(file, name):
    """The SQL of a part that several statements have."""
    with open(FOLDER + file) as source:
        return re.search(rf'static let {name} = """\n(.*?)"""', source.read(), re.S).group(1).strip()


def filled(sql, values):
    for pattern, meaning in CALLS:
        sql = re.sub(pattern, meaning, sql)
    sql = re.sub(r"\\\((?:\w+\.)*(\w+)(?:\(collection\))?\)", lambda match: values[match.group(1)], sql)
    return re.sub(r"\s+", " ", sql).strip()


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
