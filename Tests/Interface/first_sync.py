"""The README's first sync, by a client that openapi-python-client generates from the document that the server gives out.

first_sync.py URL FOLDER: the folder takes the generated package."""
import datetime
import importlib
import os
import subprocess
import sys
import uuid

import httpx

import signing

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "neuroviews_client"
PASSWORD = "three quiet lenses"
MAY = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.timezone.utc)


def generate(url, folder):
    """Any warning of the generator is a failure: something of the document would be missing from the client."""
    document = f"{folder}/openapi.json"
    with open(document, "wb") as file:
        file.write(httpx.get(url + "/openapi.json").raise_for_status().content)
    subprocess.run(["openapi-python-client", "generate", "--path", document, "--output-path", f"{folder}/{PACKAGE}",
                    "--meta", "none", "--overwrite", "--fail-on-warning", "--config", f"{HERE}/client.yaml"], check=True)
    sys.path.insert(0, folder)


def part(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


class Signature(httpx.Auth):
    requires_request_body = True

    def __init__(self, key):
        self.key = key

    def auth_flow(self, request):
        request.headers.update(signing.headers(self.key, request.method, str(request.url), request.content, request.headers.multi_items()))
        yield request


class Device:
    """A device that has logged in."""

    def __init__(self, url, email, name):
        models, client = part("models"), part("client")
        login = answer(part("api.accounts.log_in"), 200, client=client.Client(base_url=url),
                       body=models.Credentials(email=email, password=PASSWORD, device_id=name, device_name=name))
        self.client = client.AuthenticatedClient(
            base_url=url, token=login.token, httpx_args={"auth": Signature(login.signing_key)})

    def call(self, operation, status, *arguments, **named):
        return answer(part(f"api.configurations.{operation}"), status, *arguments, client=self.client, **named)

    def sync_head(self, operation, *arguments, **named):
        """Sync-Head of the answer to a write."""
        response = part(f"api.configurations.{operation}").sync_detailed(*arguments, client=self.client, **named)
        assert response.status_code == 200, f"{operation}: {response.status_code} {response.content!r}"
        return response.headers["Sync-Head"]

    def pull(self, **named):
        return self.call("list_configurations", 200, **named)


def answer(operation, status, *arguments, **named):
    response = operation.sync_detailed(*arguments, **named)
    assert response.status_code == status, f"{operation.__name__}: {response.status_code} {response.content!r}"
    return response.parsed


def preset(name, kind, frame_rate):
    models = part("models")
    document = models.CameraConfiguration(
        id=uuid.uuid4(), name=name, preset=models.CameraConfigurationPreset(kind),
        video_format=models.CameraConfigurationVideoFormat.H_265,
        resolution=models.CameraConfigurationResolution.VALUE_3, frame_rate=frame_rate, created_at=MAY, modified_at=MAY)
    # A member that the schema does not know is kept.
    document["focus_settings"] = {"mode": "manual", "lens_position": 0.85}
    return document


def first_sync(url):
    models = part("models")
    email = f"{uuid.uuid4()}@example.org"
    anybody = part("client").Client(base_url=url)
    account = answer(part("api.accounts.register"), 201, client=anybody,
                     body=models.Registration(email=email, password=PASSWORD))
    assert account.user.email == email
    phone, tablet = Device(url, email, "phone"), Device(url, email, "tablet")

    harbour, football, moss = made = [
        preset("Harbour at night", "night", 24), preset("Football", "sport", 120), preset("Moss", "macro", 30)]
    for document in made:
        receipt = phone.call("create_configuration", 201, body=models.ConfigurationBody(document))
        assert receipt.id == document.id
    known = phone.pull()

    pulled = tablet.pull(device_id="tablet")
    assert [document.to_dict() for document in pulled.configurations] == [document.to_dict() for document in made]
    assert pulled.deleted == [] and not pulled.reset

    harbour.name, harbour.modified_at = "Harbour at dawn", MAY + datetime.timedelta(hours=1)
    tags = pulled.versions.to_dict()
    # Each answer to a write has the head to send with the next pull.
    heads = [tablet.sync_head("update_configuration", harbour.id, body=models.ConfigurationBody(harbour),
                              if_match=f'"{tags[str(harbour.id)]}"'),
             tablet.sync_head("delete_configuration", football.id, if_match=f'"{tags[str(football.id)]}"')]
    own = tablet.pull(sync_token=pulled.sync_token, seen=",".join(heads))
    assert not own.reset and own.versions.to_dict().keys() == {str(harbour.id), str(football.id)}

    changes = phone.pull(sync_token=known.sync_token)
    assert [document.to_dict() for document in changes.configurations] == [harbour.to_dict()]
    assert changes.deleted == [football.id] and not changes.reset
    assert changes.versions.to_dict() == own.versions.to_dict()
    changed = changes.versions[str(harbour.id)]
    assert changed.startswith("2-") and changed != tags[str(harbour.id)]
    unknown = phone.pull(sync_token="a token of another server")
    assert unknown.reset and len(unknown.configurations) == 2 and unknown.deleted == [football.id]
    assert phone.call("get_configuration", 200, moss.id).to_dict() == moss.to_dict()

    stored = harbour.to_dict()
    harbour.name, harbour.modified_at = "Harbour at noon", MAY + datetime.timedelta(hours=2)
    refused = phone.call("update_configuration", 412, harbour.id, body=models.ConfigurationBody(harbour),
                         if_match=f'"{tags[str(harbour.id)]}"')
    assert refused.version == changed and refused.current.to_dict() == stored
    unsigned = part("client").AuthenticatedClient(base_url=url, token=phone.client.token)
    problem = answer(part("api.configurations.list_configurations"), 401, client=unsigned)
    assert problem.type_.endswith("/problems/signature-missing"), problem
    assert answer(part("api.service.get_health"), 200, client=anybody).status == "ok"

    # An answer of a newer server has a member more at each place, and other values.
    count = {"quota": "albums", "collection": "albums", "used": 1, "reserved": 0, "limit": None, "newer": [0.5]}
    newer = models.Quotas.from_dict({"quotas": [count], "newer": {"id": None}})
    assert newer.quotas[0].quota == newer.quotas[0].collection == "albums", newer


if __name__ == "__main__":
    generate(*sys.argv[1:3])
    first_sync(sys.argv[1])
