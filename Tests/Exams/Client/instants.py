"""Times as RFC 3339 has them."""
import re
from datetime import date, datetime, timezone
from decimal import Decimal

FORM = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))", re.IGNORECASE)
DAYS_OF_400_YEARS = 146097


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def whole(time):
    """The time for a document: before Swift 6.2 `.iso8601` reads no fraction."""
    return time[:19] + "Z"


def instant(time):
    """Seconds, to compare times by. The standard library knows no year 0 and no leap second."""
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = FORM.fullmatch(time).groups()
    days = date(2000 + int(year) % 400, int(month), int(day)).toordinal() + int(year) // 400 * DAYS_OF_400_YEARS
    ahead = (int(hours) * 60 + int(minutes)) * (-60 if sign == "-" else 60) if sign else 0
    return ((days * 24 + int(hour)) * 60 + int(minute)) * 60 + int(second) + Decimal(fraction or 0) - ahead
