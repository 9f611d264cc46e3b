"""The two other implementations of sealed recordings: the program in docs/client.md, and Tink."""
import base64
import hashlib
import io
import os
import re

import tink
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from tink import secret_key_access, streaming_aead
from tink.proto import aes_gcm_hkdf_streaming_pb2, common_pb2, tink_pb2

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCHEME, SEGMENT = "tink-aes256-gcm-hkdf-1mb", 1 << 20
streaming_aead.register()


class Documented:
    """Runs the program as it is printed, and nothing else."""

    def __init__(self):
        with open(ROOT + "/docs/client.md", encoding="utf-8") as file:
            section = re.search(r"\n## Sealed recordings\n(.*?)\n## ", file.read(), re.DOTALL)[1]
        self.program = {}
        exec(re.search(r"```python\n(.*?)```", section, re.DOTALL)[1], self.program)  # pylint: disable=exec-used
        example = re.search(r"```\n(key .*?)```", section, re.DOTALL)[1]
        self.example = dict(re.split(" {2,}", line, maxsplit=1) for line in example.splitlines())

    def file_key(self, key, recording):
        return self.program["file_key"](self.program["recording_key"](key), recording)

    def content(self, sealed, file_key):
        return b"".join(self.program["segments"](io.BytesIO(sealed), file_key))

    def details(self, file_key, recording):
        return self.program["details"](file_key, recording)


def primitive(file_key):
    """Tink's own AES256_GCM_HKDF_1MB, by this key."""
    parameters = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingParams(ciphertext_segment_size=SEGMENT, derived_key_size=32, hkdf_hash_type=common_pb2.SHA256)
    key = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey(version=0, params=parameters, key_value=file_key)
    data = tink_pb2.KeyData(type_url="type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey", value=key.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC)
    entry = tink_pb2.Keyset.Key(key_id=1, status=tink_pb2.ENABLED, output_prefix_type=tink_pb2.RAW, key_data=data)
    keyset = tink_pb2.Keyset(primary_key_id=1, key=[entry])
    return tink.proto_keyset_format.parse(keyset.SerializeToString(), secret_key_access.TOKEN).primitive(streaming_aead.StreamingAead)


def tink_opens(sealed, file_key, context=b""):
    return primitive(file_key).new_decrypting_stream(io.BytesIO(sealed), context).read()


def tink_seals(content, file_key, context=b""):
    class Kept(io.BytesIO):
        """Tink closes what it writes to."""

        def close(self):
            self.content = self.getvalue()
            super().close()

    target = Kept()
    with primitive(file_key).new_encrypting_stream(target, context) as stream:
        stream.write(content)
    return target.content


def envelope(key, file_key, recording):
    """The member `encryption`, made by Python's cryptography."""
    nonce = os.urandom(12)
    box = nonce + AESGCM(key).encrypt(nonce, file_key, b"wrapped_key:" + recording.lower().encode())
    key_id = hashlib.sha256(b"neuroviews recording key id 1" + key).hexdigest()[:16]
    return {"scheme": SCHEME, "version": 1, "segment_size": SEGMENT, "nonce_prefix": "", "key_id": key_id, "wrapped_key": base64.b64encode(box).decode()}
