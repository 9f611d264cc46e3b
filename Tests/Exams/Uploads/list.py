"""The time of a list of all recordings of an account, alone in the database and among others."""
import http.client
import json
import os
import time
import urllib.request

from scene import Account, Server, end, folder, options, psql, quantile

# The specification's; the goal is 5.
MEDIAN_MAX_MS = 500
GROWTH_MAX = 1.3
METADATA = {
    "filename": "IMG_0042.MOV", "duration": 12.5, "file_size": 5, "video_format": "ProRes 422", "resolution": "4K UHD",
    "frame_rate": 60, "created_at": "2026-03-01T12:00:00Z",
    "location": {"latitude": 52.5, "longitude": 13.4, "altitude": 34.1}, "device_model": "iPhone17,1",
    "app_version": "2.3.1", "camera_position": "back", "exposure_settings": {"iso": 100, "shutter": "1/120"},
    "custom_tags": {"scene": "12", "take": "3"}, "tags": ["a", "b"],
}
# How the first recording's rows are copied: to other ids of the account, and to other accounts.
COPIES = {
    "id": "md5(r.id::text || n)::uuid", "spelled_id": "md5(r.id::text || n)::uuid::text", "object_key": "md5(r.object_key || n)",
    "seq": "r.seq + n", "recorded_at": "r.recorded_at + n * interval '1 s'",
}
CROWD = {"user_id": "u.id", "object_key": "md5(r.object_key || u.id)"}


def copy(server, table, changes, source):
    columns = psql.say(server, f"SELECT attname FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0 "
                               "AND NOT attisdropped AND attgenerated = '' ORDER BY attnum").split()
    values = ", ".join(changes.get(name, "r." + name) for name in columns)
    psql.say(server, f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} r, {source}")


def add_first(account):
    """A recording as its client makes it."""
    recording, path = account.open_upload(5)
    url = account.server.url.removesuffix("/v2") + path
    urllib.request.urlopen(urllib.request.Request(url, b"hello", method="PUT")).close()
    account.call("POST", f"/recordings/{recording}/complete", {"metadata": METADATA})


def measure(account, settings):
    """The median in milliseconds."""
    connection = http.client.HTTPConnection(account.server.address, timeout=60)
    times = []
    for _ in range(settings.rounds):
        began = time.perf_counter()
        connection.request("GET", f"/v2/recordings?limit={settings.recordings}",
                           headers={"Authorization": "Bearer " + account.token})
        body = connection.getresponse().read()
        times.append((time.perf_counter() - began) * 1000)
    found = json.loads(body)
    assert len(found["recordings"]) == found["total"] == settings.recordings
    total = psql.say(account.server, "SELECT count(*) FROM recordings")
    print(f"{settings.recordings} of {total} recordings, {len(body)} bytes: median {quantile(times, .5):.2f} ms, "
          f"p99 {quantile(times, .99):.2f} ms", flush=True)
    return quantile(times, .5)


def main():
    settings = options(__doc__, recordings=(1000, "of the account"), accounts=(100, "others with as many"),
                       rounds=(200, "requests"))
    with folder() as place:
        server = Server(os.path.join(place, "server"), settings.binary, media_jobs=0)
        account = Account(server)
        add_first(account)
        for table in ["recordings", "recording_files"]:
            copy(server, table, COPIES, f"generate_series(2, {settings.recordings}) n")
        psql.say(server, "ANALYZE")
        alone = measure(account, settings)
        psql.say(server, "INSERT INTO users (email, password_hash) SELECT 'u' || n || '@example.org', '-' "
                         f"FROM generate_series(1, {settings.accounts}) n")
        for table in ["recordings", "recording_files"]:
            copy(server, table, CROWD, "users u WHERE u.password_hash = '-' AND r.user_id = "
                                       "(SELECT id FROM users WHERE password_hash <> '-')")
        psql.say(server, "ANALYZE")
        among = measure(account, settings)
        server.stop()
    end([what for what, is_broken in [
        (f"{alone:.1f} ms", alone > MEDIAN_MAX_MS),
        (f"{among / alone:.2f} times as long among others", among > GROWTH_MAX * alone)] if is_broken])


if __name__ == "__main__":
    main()
