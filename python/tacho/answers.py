"""Questions from Python: what the tool answers, as objects. Nothing is computed here; doc/python.md tells more.

    profile = tacho.open("net.etdump", etrecord="net.etrecord")
    profile.table("operators")["time"]
    profile.advice()
    tacho.compare(["a1.pb", "a2.pb"], ["b1.pb", "b2.pb"]).verdict
"""
from . import _answers
from ._answers import Column, Result, Table, Writer, verbs, version
from .errors import Error, InputError, OutputError, UsageError



class Advice:
    """A thing worth doing, with the members that `tacho advise --json` gives it: rule, title, saves_ns, evidence, where, ..."""

    def __init__(self, members):
        self.members = members

    @property
    def what(self):
        return self.members["title"]

    @property
    def saves(self):
        """Nanoseconds of a run; None: cannot be said."""
        return self.members["saves_ns"]

    def __getattr__(self, name):
        try:
            return self.__dict__["members"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self):
        return f"<tacho.Advice {self.what}" + ("" if self.saves is None else f": saves {self.saves} ns of a run") + ">"


class AdviceList(list):
    """The things worth doing, the one that saves most first; `answer` is all that `tacho advise --json` says."""

    def __init__(self, answer):
        super().__init__(Advice(item) for item in answer["items"])
        self.answer = answer

    @property
    def headline(self):
        return self.answer["headline"]

    @property
    def healthy(self):
        return self.answer["healthy"]

    @property
    def smaller(self):
        """What is seen, and too small to be worth much."""
        return [Advice(item) for item in self.answer["smaller"]]

    @property
    def dominates(self):
        """What takes most of a run that has nothing to save; None: something has."""
        return Advice(self.answer["dominates"]) if self.answer["dominates"] else None


class Query(_answers.Query):
    """Inputs that are asked in SQL: Query("a.pb").ask("SELECT name, count(*) FROM slices GROUP BY name").

    They are read once, when a statement first wants it. `timeout` is in seconds, `memory` in megabytes, both of a statement; the other
    options are those of Profile.
    """

    def __init__(self, *paths, timeout=0, memory=0, **options):
        super().__init__(paths, options, timeout, memory)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Profile(_answers.Profile):
    """Inputs that were opened: Profile("a.pb"), Profile("a.etdump", etrecord="net.etrecord"), Profile("a.csv", "b.csv").

    Options are those of the command about reading, with _ for -: format, clock_mhz, ticks, strict, runs, warmup, mlir, etrecord, ...
    """

    def __init__(self, *paths, **options):
        super().__init__(paths, options)
        self.paths, self.options, self.asked = paths, options, None

    def query(self, sql):
        """What a statement of SQL answers, as a table; `tacho query` has tables and functions."""
        if self.closed:
            raise ValueError("the profile is closed")
        if self.asked is None:
            self.asked = Query(*self.paths, **self.options)
        return self.asked.ask(sql)

    def close(self):
        super().close()
        if self.asked is not None:
            self.asked.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        shown = ", ".join(str(path) for path in self.paths)
        return f"<tacho.Profile {shown}: {'closed' if self.closed else self.format}>"

    def ask(self, verb, **options):
        """What `tacho VERB` does with these inputs."""
        return Result(verb, self, options)

    def summary(self, **options):
        return self.ask("summary", **options)

    def latency(self, **options):
        return self.ask("latency", **options)

    def advice(self, **options):
        return AdviceList(self.ask("advise", **options).json())

    def report(self, path, **options):
        """Writes a report: .html, .md or .json."""
        return self.ask("report", out=path, **options)

    @property
    def notes(self):
        """What a person should know of its numbers."""
        return self.table("overview").notes

    @property
    def losses(self):
        """Rows that were lost, or kept although something was odd, by reason."""
        return self.table("losses")


class Verdict(str):
    """What changed, in a sentence; and for programs:

    direction  "faster" or "slower", where that is certain; else "undecided"
    certain    whether it can hardly be luck
    ratio      time after over time before; None: cannot be said
    speedup    time before over time after, of medians, as the sentence is about; the same
    reason     the verdict as the tool has it: "faster", "slower", "no difference", "too few launches", ...
    """

    def __new__(cls, model):
        made = super().__new__(cls, model["sentence"])
        made.reason = model["verdict"]
        made.certain = made.reason in ("faster", "slower")
        made.direction = made.reason if made.certain else "undecided"
        made.ratio = next((row["factor"] for row in model["totals"] if row["name"] == "run"), None)
        made.speedup = model["speedup"]
        return made


class Comparison(Result):
    """What `tacho compare` says. `answer` is False where a gate failed."""

    @property
    def verdicts(self):
        """A verdict for each model that is on both sides."""
        return {model["model"]: Verdict(model) for model in self.json()["models"]}

    @property
    def verdict(self):
        """Of the only model, or the first."""
        return next(iter(self.verdicts.values()), None)

    def table(self, name="operators"):
        """totals, parts, engines or operators."""
        return self[name]


def open(*paths, **options):
    """Opens a profile of any format; several where the question takes several. See Profile."""
    return Profile(*paths, **options)


def ask(verb, *inputs, **options):
    """Does what `tacho VERB [options] INPUT...` does: ask("summary", "a.csv", by="operator"). The verbs are in verbs()."""
    return Result(verb, inputs, options)


def sides(given):
    return list(given) if isinstance(given, (list, tuple)) else [given]


def compare(before, after, **options):
    """Compares two sides: a path each, or lists of the launches of each."""
    return Comparison("compare", sides(before), {"with": sides(after), **options})


def convert(inputs, output, **options):
    """Makes a trace of profiles: a path, a list of paths, or a dict of paths by the names of their processes."""
    if isinstance(inputs, dict):
        return _answers.convert(list(inputs.items()), output, options=options)
    return Result("convert", sides(inputs), {"output": output, **options})
