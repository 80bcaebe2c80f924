from datetime import datetime, timedelta
from typing import Collection, Optional


def next_cron_minute(after: datetime, minutes: Collection[int], hours: Collection[int]) -> Optional[datetime]:
    """First moment strictly after `after` whose minute and hour are allowed; None when there is none in two days."""
    if not minutes or not hours:
        return None
    moment = after.replace(second=0, microsecond=0) + timedelta(minutes=1)
    for _ in range(2 * 24 * 60):
        if moment.hour in hours and moment.minute in minutes:
            return moment
        moment += timedelta(minutes=1)
    return None
