"""Hooks of schemathesis for the run against the service."""

import itertools
import json
import os

import schemathesis

SCENARIO = "X-Service-Scenario"

# The ids of existing records, by the first segment of a path. No generated id names a record.
RECORD_IDS = json.loads(os.environ["RECORD_IDS"])

# The longest advance of a test clock, in seconds.
ADVANCE_SECONDS_MAX = 366 * 86_400

calls = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    Replaces the scenarios of an unknown outcome, whose documented response is 504, by one that succeeds. Replaces the
    id of every other case by that of an existing record. Shortens advances of the test clock.
    """
    headers = case.headers or {}
    if str(headers.get(SCENARIO, "")).startswith("timeout_"):
        headers[SCENARIO] = "duplicate_answer"
    ids = RECORD_IDS.get(case.operation.path.split("/")[1])
    if ids and "id" in (case.path_parameters or {}):
        call = next(calls)
        if call % 2 == 0:
            case.path_parameters["id"] = ids[call // 2 % len(ids)]
    # Valid advances of up to a year would move the time of every other case. Invalid ones must stay invalid.
    body = case.body
    if case.operation.path == "/test_clock" and isinstance(body, dict):
        seconds = body.get("advance")
        if isinstance(seconds, (int, float)) and seconds in range(2, ADVANCE_SECONDS_MAX + 1):
            body["advance"] = int(seconds) % 2
