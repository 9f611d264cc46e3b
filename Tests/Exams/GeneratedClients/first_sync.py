"""The README's first sync by the client that openapi-generator makes. first_sync.py URL: the package `neuroviews` is on the path."""
import datetime
import json
import sys
import uuid

import neuroviews
from neuroviews import models
from neuroviews.exceptions import ApiException

PASSWORD = "three quiet lenses"
NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.timezone.utc)


class Device:
    """A device that has logged in."""

    def __init__(self, url, email, name):
        with neuroviews.ApiClient(neuroviews.Configuration(host=url)) as anybody:
            login = neuroviews.AccountsApi(anybody).log_in(
                models.Credentials(email=email, password=PASSWORD, device_id=name, device_name=name))
        client = neuroviews.ApiClient(neuroviews.Configuration(host=url, access_token=login.token))
        self.api, self.recordings = neuroviews.ConfigurationsApi(client), neuroviews.RecordingsApi(client)

    def pull(self, token=None):
        return self.api.list_configurations(sync_token=token)

    def replace(self, document, tag):
        return self.api.update_configuration(document.id, models.ConfigurationBody(configuration=document), if_match=f'"{tag}"')

    def write(self, *operations):
        return self.api.write_configurations(
            models.ConfigurationBatch(operations=[models.BatchOperation(operation) for operation in operations]))


def preset(name):
    """With members that the schema does not know, at three depths."""
    return models.CameraConfiguration.from_dict({
        "id": str(uuid.uuid4()), "name": name, "preset": "night", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 24,
        "exposure_settings": {"mode": "manual", "iso": 200, "metering": "spot"}, "created_at": NOON, "modified_at": NOON,
        "focus_settings": {"mode": "manual", "range": [0.25, None]}, "stars": 5})


def first_sync(url):
    email = f"{uuid.uuid4()}@example.org"
    with neuroviews.ApiClient(neuroviews.Configuration(host=url)) as anybody:
        account = neuroviews.AccountsApi(anybody).register(models.Registration(email=email, password=PASSWORD))
    assert account.user.email == email
    phone, tablet = Device(url, email, "phone"), Device(url, email, "tablet")

    harbour, football = preset("Harbour at night"), preset("Football")
    for document in (harbour, football):
        receipt = phone.api.create_configuration(models.ConfigurationBody(configuration=document))
        assert receipt.id == document.id
    known, pulled = phone.pull(), tablet.pull()
    assert pulled.configurations == [harbour, football] and pulled.deleted == []

    # What was read is changed and sent back: nothing that the client does not know is lost.
    tags = pulled.versions
    harbour = pulled.configurations[0]
    harbour.name, harbour.modified_at = "Harbour at dawn", NOON + datetime.timedelta(hours=1)
    tablet.replace(harbour, tags[str(harbour.id)])
    changes = phone.pull(known.sync_token)
    assert changes.configurations == [harbour] and not changes.reset
    assert harbour.additional_properties["focus_settings"] == {"mode": "manual", "range": [0.25, None]}
    assert harbour.exposure_settings.additional_properties == {"metering": "spot"}

    batch(phone, harbour, changes.versions[str(harbour.id)], football, tags[str(football.id)])
    refusal(tablet, harbour, tags[str(harbour.id)])
    recordings(phone.recordings)
    usage(phone.recordings.api_client)
    newer()


def newer():
    """An answer of a newer server: a member more at each place, and other values."""
    count = {"quota": "albums", "collection": "albums", "used": 1, "reserved": 0, "limit": None, "newer": [0.5]}
    answer = models.Quotas.from_dict({"quotas": [count], "newer": {"id": None}})
    assert answer.quotas[0].quota == answer.quotas[0].collection == "albums", answer


def recordings(api):
    """One is uploaded, listed, pulled and changed. Members that the schema does not know survive."""
    uploading, recording_id = uuid.uuid4(), uuid.uuid4()
    for name in (uploading, recording_id):
        grant = api.open_upload(name, models.UploadRequest(file_size=5, content_type="audio/wav"))
    neuroviews.UploadsApi(api.api_client).put_upload(grant.upload_url.rpartition("/")[2], body=b"hello")
    metadata = models.RecordingMetadata.from_dict({
        "creation_date": NOON, "camera_position": 1, "tags": ["sea", {"name": "dawn", "stars": 5}], "lens": {"name": "35"}})
    receipt = api.complete_recording(recording_id, models.RecordingBody(metadata=metadata))
    assert receipt.thumbnail_url, receipt
    listed, changes = api.list_recordings(), api.list_recordings(sync_token="")
    assert listed.total == 1 and listed.next is None and changes.reset is False
    assert [item.id for item in listed.recordings] == [item.id for item in changes.recordings] == [recording_id]
    recording = listed.recordings[0]
    assert recording.additional_properties["lens"] == {"name": "35"} and recording.camera_position.actual_instance == 1
    assert recording.thumbnail_url is None and recording.creation_date == NOON and recording.custom_tags == {}
    recording.filename = "Harbour.wav"
    api.patch_recording(recording_id, recording.to_dict())
    patched = api.get_recording(recording_id)
    assert patched.filename == "Harbour.wav" and patched.to_dict()["tags"] == recording.to_dict()["tags"]
    assert patched.additional_properties == recording.additional_properties
    assert [item.upload_offset for item in api.list_recordings(state="uploading").recordings] == [0]
    # The client follows the redirect to the link.
    followed = api.get_content_without_preload_content(recording_id)
    assert followed.data == b"hello"
    assert api.download(followed.geturl().rpartition("/")[2]) == b"hello"


def usage(client):
    """An account agrees, sends an event, and reads the usage of its day."""
    api, now = neuroviews.AnalyticsApi(client), datetime.datetime.now(datetime.timezone.utc)
    api.put_consents(models.ConsentChanges(consents={"analytics": models.ConsentChangesConsentsValue(granted=True, version="1")}))
    sent = api.record_events(models.EventBatch(events=[models.AnalyticsEvent(name="preset_used", timestamp=now)]))
    assert sent.processed == 1, sent
    day = datetime.timedelta(days=1)
    answer = api.get_usage(start_date=(now - day).date(), end_date=(now + day).date())
    assert [item.name for item in answer.usage.events_by_name] == ["preset_used"] and len(answer.usage.days) == 3, answer


def batch(device, replaced, current, deleted, tag):
    """One with every kind of operation."""
    moss = preset("Moss")
    noon = replaced.model_copy(update={"name": "Harbour at noon", "modified_at": NOON + datetime.timedelta(hours=2)})
    receipt = device.write(models.BatchCreate(operation="create", configuration=moss),
                           models.BatchReplace(operation="replace", configuration=noon, if_match=current),
                           models.BatchDelete(operation="delete", id=deleted.id, if_match=tag))
    assert receipt.outcome == "done" and [result.status for result in receipt.results] == [201, 200, 200], receipt
    stored = device.pull()
    assert sorted(item.name for item in stored.configurations) == [noon.name, moss.name] and stored.deleted == [deleted.id]
    assert noon in stored.configurations and moss in stored.configurations
    refused = device.write(models.BatchDelete(operation="delete", id=moss.id, if_match="1-000000000000"))
    assert refused.results[0].problem.type.endswith("/problems/version-mismatch"), refused


def refusal(device, document, tag):
    """A problem is told by its code, and has what stands on the server."""
    try:
        device.replace(document.model_copy(update={"name": "Harbour at dusk"}), tag)
    except ApiException as error:
        problem = models.ConflictProblem.from_dict(json.loads(error.body))
        assert error.status == 412 and problem.type.endswith("/problems/version-mismatch"), problem
        assert problem.current.additional_properties["stars"] == 5
        return
    raise AssertionError("an edit of an old version was taken")


if __name__ == "__main__":
    first_sync(sys.argv[1])
