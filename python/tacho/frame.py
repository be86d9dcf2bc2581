"""A table as a DataFrame of pandas."""

# What pandas calls a column without and with values that are not known.
TYPES = {
    "text": ("object", "object"),
    "boolean": ("bool", "boolean"),
    "integer": ("int64", "Int64"),
    "duration": ("int64", "Int64"),
    "bytes": ("int64", "Int64"),
    "decimal": ("float64", "float64"),
    "percent": ("float64", "float64"),
}


def of(table):
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas, which is not installed: pip install pandas, or take table.to_dict()") from error
    columns = [table[name] for name in table.columns]
    return pandas.DataFrame({column.name: pandas.Series(column.tolist(), dtype=TYPES[column.type][column.nulls > 0]) for column in columns})
