"""What goes wrong: an exception for each way in which the tool fails, with the place in the input where that is known."""


class Error(Exception):
    """What the library could not do. `message` says what, where and what would help; `file`, `line` and `column` (from 1) where in
    an input, or None."""

    def __init__(self, message, file=None, line=None, column=None):
        super().__init__(message)
        self.message, self.file, self.line, self.column = message, file, line, column


class UsageError(Error):
    """The question makes no sense: an option, a verb or a table that does not exist, or a value that it cannot have."""


class InputError(Error):
    """An input could not be used."""


class OutputError(Error):
    """An output could not be written."""
