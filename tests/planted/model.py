"""What all generated profiles have in common: chance, noise, how large a cause is, and what is known of a profile."""
import dataclasses
import random
import statistics

LEAST_SHARE, MOST_SHARE = 0.12, 0.60  # of a run that removing a cause saves
LARGER = 1.6  # times that the first of two causes exceeds the second, before noise
FULL = 0.86  # of a run that causes and what they afflict may take: the rest is an ordinary model


@dataclasses.dataclass
class Planted:
    """One cause in one profile."""

    cause: str  # its id
    where: list  # places, the most costly first: each a dict of what an expert would point at
    costs_ns: int  # per run: time spent in what the cause afflicts
    saves_ns: int  # per run: how much shorter it is without the cause, by the model that wrote the file


@dataclasses.dataclass
class Profile:
    """A profile and the truth about it; file names are relative to the folder of the index."""

    name: str
    chain: str
    form: str
    main: str  # the file or folder that is given
    companions: list
    options: list  # for `advise` and `summary`, behind the main file
    report: list  # for `report`
    run_ns: int  # the median run
    runs_ns: list  # every run
    whole_ns: int  # what the file spans, as `summary` counts it; 0: it does not say
    planted: list

    def described(self):
        return dataclasses.asdict(self)


class Chance(random.Random):
    """Draws that the generators need; one for each profile, so that no profile depends on another."""

    def between(self, low, high):
        return low + (high - low) * self.random()

    def noisy(self, value, percent):
        """Once measured: a few percent more or less, and now and then a little more."""
        factor = 1 + max(-2.5, min(2.5, self.gauss(0, 1))) * percent / 100
        return value * (factor + (self.between(0, 2) * percent / 100 if self.random() < 0.1 else 0))

    def runs(self):
        return self.randint(5, 12)


def draw_shares(chance, remainders):
    """Which share of a run each cause wastes. A remainder is the time that is left where the cause is removed, in
    parts of what it wastes: what is afflicted takes share * (1 + remainder) of the run."""
    if len(remainders) == 1:
        most = min(MOST_SHARE, FULL / (1 + remainders[0]))
        return [chance.between(LEAST_SHARE, max(LEAST_SHARE, most))]
    first, second = (1 + remainder for remainder in remainders)
    most = min(MOST_SHARE, (FULL - LEAST_SHARE * second) / first)
    larger = chance.between(LARGER * LEAST_SHARE, max(LARGER * LEAST_SHARE, most))
    most = min(larger / LARGER, (FULL - larger * first) / second)
    return [larger, chance.between(LEAST_SHARE, max(LEAST_SHARE, most))]


def excesses(chance, ordinary, remainders):
    """The time that each cause wastes in a run, where the rest of the model takes `ordinary`."""
    shares = draw_shares(chance, remainders)
    taken = sum(share * (1 + remainder) for share, remainder in zip(shares, remainders))
    return [share * ordinary / (1 - taken) for share in shares]


def split(chance, total, parts):
    """`total` in unequal parts, the largest first."""
    weights = sorted((chance.between(0.5, 1.5) for _ in range(parts)), reverse=True)
    return [total * weight / sum(weights) for weight in weights]


def typical(values):
    """Of several runs the median, in whole nanoseconds."""
    return round(statistics.median(values))
