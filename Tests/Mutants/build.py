"""The test programs with one thing broken, without `swift build`, which takes longer than most tests. It has recorded its commands: those run
again that compile a mutant's files and link the programs."""
import functools
import hashlib
import json
import re
import shlex
import shutil
import subprocess

from records import ROOT

# By file, since a mutant compiles its own: see deploy/test.
BUILD = ("bash", "-c", "rm -f .build/by-module && source deploy/lib.sh && build_debug --build-tests")
TESTS, STARTED = "neuroviews-cloudPackageTests.xctest", ("neuroviews-server", "neuroviews")
PARTS = ("Package.swift", "Sources", "Tests", "Migrations", "OpenAPI", "deploy/monitoring")
# Options of the compiler that a mutant does not need, with the number of words that follow each.
NEEDLESS = {
    "-incremental": 0, "-enable-batch-mode": 0, "-parseable-output": 0, "-serialize-diagnostics": 0, "-emit-dependencies": 0,
    "-emit-module": 0, "-emit-module-path": 1, "-emit-objc-header": 0, "-emit-objc-header-path": 1, "-index-store-path": 1,
    "-output-file-map": 1, "-g": 0, "-warnings-as-errors": 0,
}
EMBED = "Sources/EmbedFiles/embed"
IMPORT = re.compile(r"^(?:@\w+ )?(?:\w+ )?import (\w+)$", re.MULTILINE)

# A module has digests of its declarations, also of values in them that no other file sees.
FINGERPRINT = re.compile(rb"[0-9a-f]{32}")


class BuildError(Exception):
    """The complaints of the compiler or the linker."""


def run(words):
    outputs = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(words, cwd=ROOT, text=True, errors="replace", **outputs)
    if done.returncode:
        raise BuildError(done.stdout)
    return done.stdout


def digest(content):
    return hashlib.sha256(content).hexdigest()[:16]


def sources_digest(folder=ROOT):
    """Of everything that decides about a verdict but the record."""
    files = [folder / part for part in PARTS if (folder / part).is_file()]
    files += [file for part in PARTS for file in (folder / part).rglob("*") if file.is_file()]
    lines = [
        f"{file.relative_to(folder)} {digest(file.read_bytes())}" for file in sorted(files)
        if file.suffix != ".mutants" and "__pycache__" not in file.parts
    ]
    version = subprocess.run(["swift", "--version"], capture_output=True).stdout
    return digest("\n".join(lines).encode() + version)


def jobs_of(words):
    """The commands that a call of the compiler consists of. All names of files are in them."""
    return [shlex.split(line) for line in run([*words, "-driver-print-jobs", "-driver-filelist-threshold", "1000000"]).splitlines()]


def recorded_commands():
    """The words of each command that compiles a module or links a program, by its name."""
    found, name = {}, ""
    for line in (ROOT / ".build/debug.yaml").read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r'  "C\.(.+)-\w+-unknown-linux-gnu-debug(\..+)":', line):
            name = match[1] + match[2]
        elif name and line.startswith("    args: "):
            found[name] = json.loads(line.removeprefix("    args: "))
            name = ""
    return found


class Build:
    """A copy of the sources and of what is built of them; both may change meanwhile."""

    def __init__(self, folder):
        self.sources, self.built, self.programs = folder / "sources", folder / "build", folder / "programs"
        before = sources_digest()
        run(BUILD)
        self.copy(folder)
        if sources_digest(self.sources) != before:
            raise BuildError("The sources changed while they were built: run again.")
        commands = recorded_commands()
        modules = [Module(self, self.moved(words)) for name, words in commands.items() if name.endswith(".module")]
        self.modules = in_order_of_imports({module.name: module for module in modules})
        self.linked = {
            file: Program(self, file, self.moved(commands[name]))
            for file, name in ((TESTS, TESTS.replace(".xctest", ".test")), *((program, f"{program}.exe") for program in STARTED))
        }
        self.link({}, self.programs)

    def copy(self, folder):
        origin = (ROOT / ".build/debug").resolve()
        plugins = ROOT / ".build/plugins/outputs"
        self.places = {
            # The compiler's own, good for any build.
            f"{origin}/ModuleCache": f"{folder}/../ModuleCache",
            f"{origin}/": f"{self.built}/", f"{plugins}/": f"{self.built}/plugins/", f"{ROOT}/": f"{self.sources}/",
        }
        shutil.rmtree(folder, ignore_errors=True)
        for made in (self.sources, self.built, self.programs):
            made.mkdir(parents=True)
        subprocess.run(["cp", "-rp", "--parents", *PARTS, self.sources], cwd=ROOT, check=True)
        products = [product for kind in ("build", "derived", "product") for product in origin.glob(f"*.{kind}")]
        subprocess.run(["cp", "-rp", *products, origin / "Modules", self.built], check=True)
        subprocess.run(["cp", "-rp", plugins, self.built / "plugins"], check=True)

    def moved(self, words):
        """The words of a command with the places of the copy, without needless ones, and with the lists that they name."""
        pattern, moved, rest = re.compile("|".join(map(re.escape, self.places))), [], iter(words)
        for word in rest:
            word = pattern.sub(lambda match: self.places[match[0]], word)
            if word in NEEDLESS:
                for _ in range(NEEDLESS[word]):
                    next(rest)
            elif word.startswith("@"):
                with open(word[1:], encoding="utf-8") as names:
                    moved += self.moved(shlex.split(names.read()))
            else:
                # What is for the C compiler is none of the options above.
                moved += [word, pattern.sub(lambda match: self.places[match[0]], next(rest))] if word == "-Xcc" else [word]
        return moved

    def write(self, contents, folder):
        """Writes changed files to a folder. Returns the new places of the Swift files by those in the copy."""
        changed = {}
        for path, content in contents.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
            if path.endswith(".swift"):
                changed[f"{self.sources}/{path}"] = str(file)
            else:
                changed |= self.embed(path, folder)
        return changed

    def embed(self, path, folder):
        """A file that is not Swift is embedded in one that is, and another program that does it embeds the files of each module."""
        changed = {}
        for module in self.modules:
            old = next((file for file in module.files if file.endswith("/EmbeddedFiles.swift")), None)
            top = module.name if (self.sources / module.name).is_dir() else f"Sources/{module.name}"
            if old and (path == EMBED or path.startswith(f"{top}/")):
                changed[old] = self.embedded(old, top, folder, (folder if path == EMBED else self.sources) / EMBED)
        if not changed:
            raise BuildError(f"{path} is in no module.")
        return changed

    def embedded(self, old, top, folder, program):
        """The new file in place of the old one, with the changed files of the folder and the other ones of the copy."""
        with open(old, encoding="utf-8") as text:
            names = re.findall(r'^        "(.+)": `', text.read(), re.MULTILINE)
        for name in names:
            if not (folder / top / name).exists():
                (folder / top / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.sources / top / name, folder / top / name)
        new = folder / top / "EmbeddedFiles.swift"
        run(["/bin/sh", program, new, folder / top, *(folder / top / name for name in names)])
        return str(new)

    def compile(self, changed, folder, is_whole=False):
        """Compiles changed files. Returns the new objects by the old ones. A module whose interface is another is compiled as a whole,
        and so is each that imports it; `is_whole` compiles all files of a changed module in any case."""
        objects, others = {}, set()
        for module in self.modules:
            files = [file for file in module.files if file in changed]
            imports_others = not others.isdisjoint(module.imports)
            if not files and not imports_others:
                continue
            if module.interface(changed, folder) != module.own_interface:
                others.add(module.name)
            if is_whole or imports_others or module.name in others:
                files = module.files
            objects |= module.compile(files, changed, folder)
        return objects

    def link(self, objects, folder):
        for name, program in self.linked.items():
            program.link(objects, folder / name)


class Module:
    """A module's commands. Files are named as in the copy."""

    def __init__(self, build, words):
        self.driver = words
        self.built = build.built
        self.name = words[words.index("-module-name") + 1]
        self.files = [word for word in words if word.endswith(".swift")]

    @functools.cached_property
    def imports(self):
        texts = (open(file, encoding="utf-8").read() for file in self.files)
        return {name for text in texts for name in IMPORT.findall(text)}

    @functools.cached_property
    def words(self):
        """The words of the compiler for any of the files."""
        return without_output([word for word in jobs_of(self.driver)[0] if word != "-primary-file"])

    @functools.cached_property
    def own_interface(self):
        return self.interface({}, self.built / "interfaces")

    def with_changes(self, changed, folder):
        """The words with changed files, and with the changed modules that the folder has."""
        return [*self.words[:2], "-I", str(folder / "Modules"), *(changed.get(word, word) for word in self.words[2:])]

    def interface(self, changed, folder):
        """The module as others see it, which is left in the folder."""
        file = folder / "Modules" / f"{self.name}.swiftmodule"
        file.parent.mkdir(parents=True, exist_ok=True)
        words = self.with_changes(changed, folder)
        words[words.index("-c")] = "-emit-module"
        run([*words, "-experimental-skip-non-inlinable-function-bodies-without-types", "-o", file])
        return FINGERPRINT.sub(b"", file.read_bytes())

    def compile(self, files, changed, folder):
        """Compiles some of the files. Returns the new objects by the old ones."""
        outputs, words = {}, []
        primary = {changed.get(file, file) for file in files}
        for word in self.with_changes(changed, folder):
            if word in primary:
                place = f"{self.name}.build/{word.rpartition('/')[2]}.o"
                outputs[f"{self.built}/{place}"] = f"{folder}/{place}"
                words.append("-primary-file")
            words.append(word)
        (folder / f"{self.name}.build").mkdir(parents=True, exist_ok=True)
        run([*words, *(word for output in outputs.values() for word in ("-o", output))])
        return outputs


class Program:
    """The commands that link a program."""

    def __init__(self, build, name, words):
        # Some objects only describe modules to a debugger.
        extract, *_, link = jobs_of([word for word in words if not word.endswith(".swiftmodule.o")])
        libraries = build.built / f"{name}.autolink"
        run([*without_output(extract), "-o", libraries])
        self.words = [f"@{libraries}" if word.endswith(".autolink") else word for word in without_output(link)]

    def link(self, objects, file):
        """Links with new objects by old ones. Symbols would take longer than the rest."""
        words = [objects.get(word, word) for word in self.words]
        names = file.with_name(f"{file.name}.words")
        names.write_text("\n".join(map(shlex.quote, [*words[1:], "-fuse-ld=lld", "-Xlinker", "--strip-all", "-o", str(file)])), encoding="utf-8")
        run([words[0], f"@{names}"])


def without_output(words):
    place = words.index("-o")
    return words[:place] + words[place + 2:]


def in_order_of_imports(modules):
    """Each module after those that it imports."""
    ordered = {}

    def add(name):
        if name in modules and name not in ordered:
            for other in sorted(modules[name].imports - {name}):
                add(other)
            ordered[name] = modules[name]
    for name in modules:
        add(name)
    return list(ordered.values())
