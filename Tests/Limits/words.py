"""How plain the English of comments and documents is."""
import re

QUESTION_WORDS = {"what", "whatever", "who", "whoever", "whom", "whose", "whether"}
OPENING = re.compile(r"(What|Who|Whoever|Whatever|Whether|Of|Where) ")
COMMENT = re.compile(r"\s*(?://+|#(?!!)|--)\s?(.*)")
CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)


def prose(path):
    """A Markdown file without its code, or the comments that have a line of their own."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return CODE_BLOCK.sub(" ", text)
    return "\n".join(found[1] for found in map(COMMENT.match, text.splitlines()) if found)


def figures(paths):
    """Question words in 10,000 words, and the percentage of sentences that begin with one or with Of."""
    text = " ".join(prose(path) for path in paths)
    words = re.findall(r"[a-z']+", text.lower())
    sentences = [sentence for sentence in re.split(r"(?<=[.:;])\s+", text) if sentence]
    asking = sum(word in QUESTION_WORDS for word in words)
    opening = sum(bool(OPENING.match(sentence)) for sentence in sentences)
    return 10_000 * asking / max(1, len(words)), 100 * opening / max(1, len(sentences))
