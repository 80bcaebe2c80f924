"""Writes the parquet files beside this script. Needs pyarrow (26.0.1 was used); the tests themselves do not need Python."""

import os
import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = {
    "id": ["a", "b", "c"],
    "text": ["def f(): pass\n", None, "中😀"],
    "number": [9007199254740993, 12, None],
    "tags": [None, [], [""]],
    "meta": [{"n": 1, "s": "x"}, None, {"n": 3, "s": None}],
}
SCHEMA = pa.schema([
    ("id", pa.string()),
    ("text", pa.string()),
    ("number", pa.int64()),
    ("tags", pa.list_(pa.string())),
    ("meta", pa.struct([("n", pa.int64()), ("s", pa.string())])),
])
TABLE = pa.table(ROWS, schema=SCHEMA)


def write(name, **options):
    pq.write_table(TABLE, os.path.join(HERE, name), **options)


for codec in ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]:
    for dictionary in [False, True]:
        for version in ["1.0", "2.0"]:
            kind = "dictionary" if dictionary else "plain"
            write(f"{codec}-{kind}-page{version[0]}.parquet", compression=codec, use_dictionary=dictionary, data_page_version=version)

with pq.ParquetWriter(os.path.join(HERE, "row-groups.parquet"), SCHEMA, compression="snappy") as writer:
    writer.write_table(TABLE)
    writer.write_table(TABLE.slice(0, 0))
    writer.write_table(TABLE.slice(0, 2))

# Two portions of one row group, with and without a page index.
MANY = pa.table({"id": [f"d{i}" for i in range(3000)], "text": [f"{i} " * 20 for i in range(3000)]})
pq.write_table(MANY, os.path.join(HERE, "many.parquet"), compression="zstd", data_page_size=4096)
pq.write_table(MANY, os.path.join(HERE, "many-indexed.parquet"), compression="zstd", data_page_size=4096, write_page_index=True)
pq.write_table(pa.table({"__proto__": ["x"], "toString": ["y"]}), os.path.join(HERE, "odd-names.parquet"))
