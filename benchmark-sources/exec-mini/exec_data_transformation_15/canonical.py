from typing import Dict, List, Tuple


def parse_fixed_width(lines: List[str], columns: List[Tuple[str, int]]) -> List[Dict[str, str]]:
    """Each column runs from its start to the start of the next one; blank lines are skipped."""
    records = []
    for line in lines:
        if line.strip() == "":
            continue
        record = {}
        for i, (name, start) in enumerate(columns):
            if i + 1 < len(columns):
                end = columns[i + 1][1]
            else:
                end = len(line)
            record[name] = line[slice(start, end)].strip()
        records.append(record)
    return records
