"""Runs ministack over TLS on a free port of this machine and prints the port. Ends with the process that started it.

This file fills the gaps of ministack that would hide most of what the suite tests; see `gaps.ts`. With `--bare` it fills
none, so that a test can check whether they still exist.
"""

import asyncio
import json
import os
import signal
import socket
import sys
import threading

# The functions run in processes of this group, so they end with it.
os.setsid()

listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", 0))
port = listener.getsockname()[1]
# ministack reads the port when it is imported, and passes it to the functions.
os.environ["GATEWAY_PORT"] = str(port)

from hypercorn.asyncio import serve  # noqa: E402
from hypercorn.config import Config  # noqa: E402
from ministack import app  # noqa: E402
from ministack.core import iam_actions, responses, tls  # noqa: E402
from ministack.services import apigateway_v1, kms  # noqa: E402

ANY_METHOD = "x-amazon-apigateway-any-method"


def importing_any_methods(import_path_item):
    """Imports an operation for any method like an operation for a single method."""

    def import_path_item_with_any(api_id, path, path_item, *rest):
        methods = {
            "any" if name == ANY_METHOD else name: operation
            for name, operation in path_item.items()
        }
        return import_path_item(api_id, path, methods, *rest)

    return import_path_item_with_any


def naming_keys(extract_resource_arn):
    """Authorizes a call on the key, as AWS does, also when the call names an alias."""

    def extract_key_arn(service, *request):
        arn = extract_resource_arn(service, *request)
        if service != "kms" or ":alias/" not in arn:
            return arn
        key = kms._resolve_key(arn.rsplit(":", 1)[1])
        return key["Arn"] if key else arn

    return extract_key_arn


def sending_one_by_one(extract_iam_action):
    """Authorizes a batch of messages as `sqs:SendMessage`, as AWS does."""

    def extract_action(*request):
        action = extract_iam_action(*request)
        return "sqs:SendMessage" if action == "sqs:SendMessageBatch" else action

    return extract_action


def with_key_conditions(request_tag_context):
    """Adds the condition keys of KMS: the aliases of the key, and each pair of the encryption context."""

    def context(service, action, body, params):
        values = request_tag_context(service, action, body, params)
        if service != "kms" or not body.startswith(b"{"):
            return values
        request = json.loads(body)
        key = kms._resolve_key(request.get("KeyId", ""))
        if key:
            values["kms:ResourceAliases"] = [
                arn.rsplit(":", 1)[1]
                for arn, key_id in kms._aliases.items()
                if key_id == key["KeyId"]
            ]
        for name, value in (request.get("EncryptionContext") or {}).items():
            values[f"kms:EncryptionContext:{name}"] = value
        return values

    return context


if "--bare" not in sys.argv:
    apigateway_v1._OPENAPI_HTTP_METHODS = {*apigateway_v1._OPENAPI_HTTP_METHODS, "any"}
    apigateway_v1._import_path_item = importing_any_methods(apigateway_v1._import_path_item)
    iam_actions.extract_iam_action = sending_one_by_one(iam_actions.extract_iam_action)
    iam_actions.extract_resource_arn = naming_keys(iam_actions.extract_resource_arn)
    iam_actions.request_tag_context = with_key_conditions(iam_actions.request_tag_context)


def end_with_parent() -> None:
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)


threading.Thread(target=end_with_parent, daemon=True).start()

config = Config()
config.bind = [f"fd://{listener.detach()}"]
config.certfile, config.keyfile = tls.resolve_tls_material()
config.loglevel = "WARNING"
print(port, flush=True)
asyncio.run(serve(app.app, config))
