"""Audits the bookings of the bank, offline: python3 audit.py BOOKINGS KEYS

BOOKINGS is the output of export-bookings.ts. KEYS is a copy of /.well-known/countersign/receipt-keys of the bank, which the auditor
keeps in another place than the bookings. Writes one line for each booking, and exits with 1 if one is not in order.
Needs the package `cryptography`. Each receipt is verified by docs/receipts/verify_receipt.py, which shares no code with the bank.
"""

import json
import sys
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "receipts"))
from verify_receipt import Refused, verify  # noqa: E402

#: The rule of the bank, as the auditor knows it: above these cents, so many people must have approved.
RULE = [(50_000_00, 2), (1_000_00, 1), (0, 0)]


class Objection(Exception):
    """Says why a booking is not in order."""


def demand(condition, objection):
    if not condition:
        raise Objection(objection)


def approvals_needed(cents):
    return next(count for above, count in RULE if cents > above)


def check_statement(statement, booking):
    payload = statement["actionPayload"]
    demand(statement["actionType"] == "payment_approval" and statement["operation"] == "bank.pay", "approved something else")
    demand(statement["tenant"] == booking["account"] == payload["account"], "approved for another account")
    demand(payload["reference"] == booking["id"], "approved another payment")
    demand(payload["recipient"] == booking["recipient"], "approved another recipient")
    demand(payload["currency"] == "EUR" and Decimal(str(payload["amount"])) * 100 == booking["cents"], "approved another amount")
    demand(statement["requester"]["externalId"] == booking["customer"], "somebody else asked")


def audit(booking, keys, seen):
    count = approvals_needed(booking["cents"])
    demand(len(booking["receipts"]) == count, f"has {len(booking['receipts'])} receipts, and needs {count}")
    demand(booking["id"] not in seen, "is booked twice")
    seen.add(booking["id"])
    people = set()
    for receipt in booking["receipts"]:
        try:
            verdict, statement = verify(receipt, keys)
        except Refused as refused:
            raise Objection(f"has a receipt that is refused at the step {refused}") from refused
        demand(verdict == "genuine", "has a receipt that hides a part")
        check_statement(statement, booking)
        people.add(statement["subject"]["externalId"])
        demand(statement["confirmationId"] not in seen, "uses an approval a second time")
        seen.add(statement["confirmationId"])
    demand(len(people) == count, "was approved by one person twice")
    if count == 1:
        demand(people == {booking["customer"]}, "was approved by somebody else than the customer")
    if count == 2:
        demand(booking["customer"] not in people, "was approved by the customer who ordered it")


def objections(bookings, keys):
    """Returns the objection to each booking, or None."""
    seen = set()
    found = []
    for booking in bookings:
        try:
            audit(booking, keys, seen)
            found.append(None)
        except Objection as objection:
            found.append(str(objection))
    return found


def main(bookings_path, keys_path):
    keys = json.loads(Path(keys_path).read_text(encoding="utf-8"))
    bookings = [json.loads(line) for line in Path(bookings_path).read_text(encoding="utf-8").splitlines()]
    found = objections(bookings, keys)
    for booking, objection in zip(bookings, found):
        print(f"in order: {booking['id']}" if objection is None else f"NOT IN ORDER: {booking['id']} {objection}")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
