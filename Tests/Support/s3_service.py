"""The S3 service of `s3-peer` with a bucket, for exams in Python."""
import os
import subprocess

# What Tests/Support/tools installs.
TOOLS = ".build/tools/python/bin/python"
ENDS_MAX_S = 60
# In the Python of the tools: the service takes no other logins than those of S3.
MAKE_BUCKET = """
import sys, botocore.client, botocore.session
session = botocore.session.Session()
session.set_credentials("test:tester", "testing")
config = botocore.client.Config(signature_version="s3v4", s3={"addressing_style": "path"})
session.create_client("s3", region_name="us-east-1", endpoint_url=sys.argv[1], config=config).create_bucket(Bucket=sys.argv[2])
"""


class Store:
    """An S3 service with a bucket. Only pages of `origin` may use it, if there is one."""

    BUCKET = "recordings"

    def __init__(self, folder, origin=""):
        self.process = subprocess.Popen([TOOLS, "Tests/Support/s3-peer", folder + "/service", origin], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.port = int(self.process.stdout.readline())
            self.url = f"http://127.0.0.1:{self.port}"
            subprocess.run([TOOLS, "-c", MAKE_BUCKET, self.url, self.BUCKET], check=True)
        except BaseException:
            self.stop()
            raise
        self.secret = folder + "/secret"
        with open(os.open(self.secret, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write("testing")

    def settings(self):
        return {"s3_endpoint": self.url, "s3_bucket": self.BUCKET, "s3_region": "us-east-1", "s3_access_key": "test:tester", "s3_secret_file": self.secret}

    def stop(self):
        self.process.kill()
        self.process.wait(ENDS_MAX_S)
