from typing import Any, Dict, List


def schema_type_errors(record: Dict[str, Any], schema: Dict[str, type], optional: tuple = ()) -> List[str]:
    """One message for each missing, wrongly typed or unknown field, sorted."""
    errors = []

    def note(problem: str, field: str) -> None:
        errors.append(problem + " " + field)

    for field, kind in schema.items():
        if field not in record:
            if field not in optional:
                note("missing", field)
            continue
        value = record[field]
        if isinstance(value, bool) and kind is not bool:
            note("type", field)
        elif not isinstance(value, kind):
            note("type", field)
    for field in record:
        if field not in schema:
            note("unknown", field)
    return sorted(errors)
