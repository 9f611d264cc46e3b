import CloudSync
import CommandWords
import Glibc
import Testing

@testable import Machine
@testable import PrivateCluster
@testable import Settings
@testable import neuroviews_server

@Suite("Settings of the server", .blocking)
struct SettingsTests {
    @Test("Folders in the settings are absolute, for programs that start elsewhere")
    func absoluteFolders() throws {
        let settings = try serve(["--data", "somewhere"]).get()
        for path in [settings.dataFolder, settings.objectsFolder] { #expect(path.hasPrefix("/")) }
    }

    @Test("Unset settings have the documented defaults")
    func defaults() throws {
        let settings = try serve().get()
        #expect(settings == Settings())
        #expect(settings.listen.description == "127.0.0.1:8080")
        #expect(settings.adminListen.description == "127.0.0.1:8081")
        #expect(settings.publicURL(listeningOn: settings.listen) == "http://127.0.0.1:8080/v2")
        #expect(settings.secretFilePath == "./data/secret.key")
        #expect(settings.registration == .closed && settings.signatures == .required)
        #expect(settings.itemsMax == 10_000 && settings.server.connectionsMax == 10_000)
    }

    @Test("A flag overrides the environment, the environment the settings file, and the file the default")
    func precedence() throws {
        let file = ["/f": "ITEMS_MAX = 2\nRECORDINGS_MAX_BYTES = 2\nVERSIONS_MAX=2\n"]
        let environment = [
            "NEUROVIEWS_SETTINGS": "/f", "NEUROVIEWS_RECORDINGS_MAX_BYTES": "3", "NEUROVIEWS_VERSIONS_MAX": "3",
        ]
        let settings = try serve(["--versions-max=4"], environment, files: file).get()
        #expect(settings.itemsMax == 2)
        #expect(settings.recordingsMaxBytes == 3)
        #expect(settings.versionsMax == 4)
    }

    @Test("--settings overrides NEUROVIEWS_SETTINGS")
    func settingsFlag() throws {
        let files = ["/a": "DATA=/of-a", "/b": "DATA=/of-b"]
        #expect(try serve(["--settings", "/b"], ["NEUROVIEWS_SETTINGS": "/a"], files: files).get().data == "/of-b")
    }

    @Test("Every setting is read from a flag, the environment and the file, in all forms")
    func everySetting() throws {
        let values = [
            "listen": "[::1]:9000", "admin_listen": "0.0.0.0:0", "public_url": "https://example.org/v2",
            "database_url": "host=/tmp dbname=x", "data": "/elsewhere", "secret_file": "/key", "registration": "open",
            "signatures": "optional", "upload_announce": "off", "console": "off",
            "log_level": "debug", "event_loops": "255",
            "trusted_proxies": "10.0.0.0/8, unix, forwarded",
            "buffers_max_bytes": "2097152", "cors_origins": "https://app.example.org", "log_format": "json",
            "common_passwords": "/list", "account_url": "https://example.org/account",
            "passkey_rp_id": "example.org",
            "passkey_origins": "android:apk-key-hash:dGhpcyBpcyBhIGhhc2ggb2YgYSBjZXJ0aWZpY2F0ZQ", "media_jobs": "17",
            "s3_region": "eu-central-1", "previews": "on", "realtime": "off", "unsandboxed_media": "accept-risk",
            "password_cost": "1",
        ]
        for setting in SettingDefinition.all {
            let value = values[setting.name] ?? "1025"
            let (name, flag) = (setting.environmentName, setting.flag)
            let all = [
                serve([flag, value]), serve(["\(flag)=\(value)"]), serve([], [name: value]),
                serve(["--settings", "/f"], files: ["/f": "# x\r\n\r\n \(name)=\(value)\r\n"]),
                serve(["--settings", "/f"], files: ["/f": "\u{FEFF}\(setting.name.uppercased()) = \"\(value)\" "]),
            ]
            var expected = Settings()
            // The excluded settings depend on others, or keep their default with this value.
            let isAlone =
                ![
                    "background_database_url", "owner_database_url", "tls_cert", "tls_key", "sendmail",
                    "mail_from", "passkey_origins",
                ].contains(
                    setting.name
                )
                && (!setting.name.hasPrefix("s3_") || setting.name == "s3_region")
            if isAlone {
                #expect(setting.apply(value, &expected) && expected != Settings(), "\(setting.name)")
                for result in all { #expect(try result.get() == expected, "\(setting.name)") }
            }
        }
        #expect(SettingDefinition.all.count - SettingDefinition.ofTests.count == 50)
    }

    @Test("The database's logins must be set together")
    func logins() throws {
        let urls = ["", "background_", "owner_"].map {
            "--\($0)database-url=host=/tmp user=\($0)x".replacing("_d", with: "-d")
        }
        let all = try #require(DatabaseLogins(try serve(urls).get()))
        #expect(
            [all.application, all.background, all.owner] == [
                "host=/tmp user=x", "host=/tmp user=background_x", "host=/tmp user=owner_x",
            ]
        )
        #expect(!all.isOneForAll)
        let serving = try #require(DatabaseLogins(try serve(Array(urls[..<2])).get()))
        #expect(serving.owner == nil)
        let single = try #require(DatabaseLogins(try serve(Array(urls[..<1])).get()))
        #expect(single.isOneForAll && single.owner == single.application)
        #expect(DatabaseLogins(Settings()) == nil)
        for url in urls[1...] {
            #expect(sentence(serve([url]))?.contains("_DATABASE_URL needs NEUROVIEWS_DATABASE_URL") == true)
        }
    }

    @Test("The settings of S3 must be set together")
    func s3() throws {
        let all = [
            "--s3-endpoint=https://S3.example.org:443/", "--s3-bucket=b-1", "--s3-access-key=a:b",
            "--s3-secret-file=/s",
        ]
        let settings = try serve(all + ["--s3-public-endpoint=http://10.0.0.1:9000", "--s3-ca-file=/ca"]).get()
        #expect(settings.s3Endpoint?.description == "https://s3.example.org" && settings.s3Bucket == "b-1")
        #expect(settings.s3PublicEndpoint?.description == "http://10.0.0.1:9000" && settings.s3CAFile == "/ca")
        #expect(settings.s3AccessKey == "a:b" && settings.s3SecretFile == "/s")
        for index in all.indices {
            var some = all
            some.remove(at: index)
            #expect(sentence(serve(some))?.contains("or none of them") == true)
            #expect(sentence(serve([all[index]]))?.contains("or none of them") == true)
        }
        #expect(
            sentence(serve(["--s3-ca-file=/ca"]))
                == "NEUROVIEWS_S3_CA_FILE needs NEUROVIEWS_S3_ENDPOINT: set the endpoint, the bucket, the access key and its secret's file, or none of them."
        )
        #expect(sentence(serve(all + ["--previews=on"]))?.contains("files on disk") == true)
        for wrong in ["ftp://a", "https://a/b", "https://", "a", "https://a:0"] {
            #expect(sentence(serve(["--s3-endpoint=\(wrong)"]))?.contains("URL without a path") == true)
        }
        for wrong in ["", "ab", "A-b", "a/b", "a_b"] { #expect(sentence(serve(["--s3-bucket=\(wrong)"])) != nil) }
    }

    @Test("The sender of mails and the target of their links are validated")
    func mail() throws {
        let words = ["--mail-from=cloud@example.org", "--account-url=https://example.org/account?app=1"]
        let settings = try serve(words).get()
        #expect(settings.mailFrom?.text == "cloud@example.org")
        #expect(settings.accountURL == "https://example.org/account?app=1")
        #expect(
            sentence(serve(["--sendmail=/usr/bin/msmtp"]))
                == "NEUROVIEWS_SENDMAIL needs NEUROVIEWS_MAIL_FROM: without a sender no mail is sent."
        )
        for listen in ["127.0.0.1:0", "[::1]:80", "unix:/run/a.sock"] {
            let words = ["--sendmail=log", "--listen=\(listen)", "--public-url=http://localhost:80/v2"]
            #expect(try serve(words).get().sendmail == .log)
        }
        for open in [
            "--listen=0.0.0.0:80", "--public-url=https://example.org/v2", "--public-url=http://127.example.org/v2",
        ] {
            #expect(sentence(serve(["--sendmail=log", open]))?.contains("this machine alone") == true, "\(open)")
        }
        for wrong in ["sendmail", "./sendmail", ""] { #expect(sentence(serve(["--sendmail=\(wrong)"])) != nil) }
        for wrong in ["cloud", "-x@example.org", "a b@example.org", "ä@example.org", "a@b,c@d", "Cloud <a@b>"] {
            #expect(sentence(serve(["--mail-from=\(wrong)"])) != nil, "\(wrong)")
        }
        for wrong in ["example.org", "https://", "https:///x", "https://a/#b", "https://a b", "ftp://a", "https://ä"] {
            #expect(sentence(serve(["--account-url=\(wrong)"])) != nil, "\(wrong)")
        }
    }

    @Test("Apps beside a site use passkeys, too: iOS apps by the domain, Android apps by their key")
    func passkeyUsers() throws {
        func origins(_ users: String) throws -> [String]? {
            try serve(["--passkey-rp-id=example.org", "--passkey-origins=\(users)"]).get().relyingParty?.origins
        }
        let android = "android:apk-key-hash:dGhpcyBpcyBhIGhhc2ggb2YgYSBjZXJ0aWZpY2F0ZQx"
        let (site, app) = ("https://app.example.org", "ios:A1B2C3D4E5.org.example.app")
        #expect(try origins(site) == [site])
        #expect(try origins("\(site),\(app)") == [site, "https://example.org"])
        #expect(try origins("\(app),\(android)") == ["https://example.org", android])
        let settings = try serve(["--passkey-rp-id=example.org", "--passkey-origins=\(app)"]).get()
        #expect(settings.passkeyUsers.appleApps == ["A1B2C3D4E5.org.example.app"])
        for wrong in ["", "ios:", "ios:A1B2.org.example", "android:apk-key-hash:short", "example.org"] {
            #expect(sentence(serve(["--passkey-rp-id=example.org", "--passkey-origins=\(wrong)"])) != nil, "\(wrong)")
        }
        #expect(sentence(serve(["--passkey-origins=\(app)"]))?.contains("needs NEUROVIEWS_PASSKEY_RP_ID") == true)
    }

    static let refused: [(value: [String: String], sentence: String)] = [
        (
            ["NEUROVIEWS_BUFFERS_MAX_BYTES": "1 MiB"],
            "NEUROVIEWS_BUFFERS_MAX_BYTES is \"1 MiB\": it must be a whole number from 1048576 to 1099511627776."
        ),
        (
            ["NEUROVIEWS_MEDIA_JOBS": "-1"],
            "NEUROVIEWS_MEDIA_JOBS is \"-1\": it must be a whole number from 0 to 64."
        ),
        (
            ["NEUROVIEWS_MEDIA_JOBS": "+1"],
            "NEUROVIEWS_MEDIA_JOBS is \"+1\": it must be a whole number from 0 to 64."
        ),
        (
            ["NEUROVIEWS_MEDIA_JOBS": ""],
            "NEUROVIEWS_MEDIA_JOBS is empty: it must be a whole number from 0 to 64, or be left out."
        ),
        (
            ["NEUROVIEWS_REGISTRATION": "yes"],
            "NEUROVIEWS_REGISTRATION is \"yes\": it must be open or invitation or closed."
        ),
        (
            ["NEUROVIEWS_LOG_LEVEL": "warn"],
            "NEUROVIEWS_LOG_LEVEL is \"warn\": it must be error or warning or info or debug."
        ),
        (
            ["NEUROVIEWS_LISTEN": "8080"],
            "NEUROVIEWS_LISTEN is \"8080\": it must be an IP address and a port (127.0.0.1:8080, [::1]:8080) or unix: and a path of at most 107 bytes."
        ),
        (
            ["NEUROVIEWS_PUBLIC_URL": "https://example.org"],
            "NEUROVIEWS_PUBLIC_URL is \"https://example.org\": it must be 1 to 16 URLs with commas between them, from http:// or https:// to /v2: https://example.org/v2."
        ),
        (
            ["NEUROVIEWS_DATABASE_URL": "s3cret"],
            "NEUROVIEWS_DATABASE_URL is not valid: it must be a libpq URI (postgresql://user@host/database; in a password %40 is @, %2F is /) or conninfo (host=… dbname=…)."
        ),
        (
            ["NEUROVIEWS_ADMIN_LISTEN": "0.0.0.0:8080"],
            "NEUROVIEWS_LISTEN (127.0.0.1:8080) and NEUROVIEWS_ADMIN_LISTEN (0.0.0.0:8080) can't share a port: give one of them another port."
        ),
        (
            ["NEUROVIEWS_STORAGE": "s3"],
            "NEUROVIEWS_STORAGE is not a setting: neuroviews-server --help lists all of them."
        ),
        (["NEUROVIEWS_TLS_CERT": "c"], "NEUROVIEWS_TLS_CERT needs NEUROVIEWS_TLS_KEY: set both, or neither."),
        (["NEUROVIEWS_TLS_KEY": "k"], "NEUROVIEWS_TLS_KEY needs NEUROVIEWS_TLS_CERT: set both, or neither."),
        (
            [
                "NEUROVIEWS_TLS_CERT": "c", "NEUROVIEWS_TLS_KEY": "k",
                "NEUROVIEWS_PUBLIC_URL": "https://example.org/v2,http://example.org/v2",
            ],
            "NEUROVIEWS_PUBLIC_URL is \"http://example.org/v2\", but with NEUROVIEWS_TLS_CERT clients connect with TLS: it must begin with https://."
        ),
        (["NEUROVIEWS_LISTENS": "x"], "NEUROVIEWS_LISTENS is not a setting: did you mean NEUROVIEWS_LISTEN?"),
        (
            ["NEUROVIEWS_SOMETHING_ELSE": "x"],
            "NEUROVIEWS_SOMETHING_ELSE is not a setting: neuroviews-server --help lists all of them."
        ),
        (
            ["NEUROVIEWS_SETTINGS": "/none"],
            "The settings file can't be read: cannot open /none: No such file or directory."
        ),
    ]

    @Test("A wrong setting in the environment is refused with status 78 and one sentence", arguments: refused)
    func refusedEnvironment(environment: [String: String], expected: String) {
        let result = serve([], environment)
        #expect(sentence(result) == expected)
        #expect(status(result) == 78)
    }

    static let refusedFiles: [(text: String, sentence: String)] = [
        ("LISTEN", "/f, line 1: write NAME = value, or start the line with # for a comment."),
        ("#\nDATA=a\nNEUROVIEWS_DATA=b", "NEUROVIEWS_DATA (/f, line 3) is set twice: keep one of the two lines."),
        ("#\nDATA = /a   # big", "/f, line 2: put the comment on a line of its own, or the value into quotes."),
        ("DATA = \"/a\" # big", "/f, line 1: put the comment on a line of its own, or the value into quotes."),
        ("DATA = \"/a\" # the \"big\"", "/f, line 1: put the comment on a line of its own, or the value into quotes."),
        ("\nEVENT_LOOPS = 0", "NEUROVIEWS_EVENT_LOOPS (/f, line 2) is \"0\": it must be a whole number from 1 to 256."),
        (
            "SETTINGS=/g",
            "NEUROVIEWS_SETTINGS (/f, line 1) is not a setting: neuroviews-server --help lists all of them."
        ),
    ]

    @Test("A wrong line of the settings file is refused with its number", arguments: refusedFiles)
    func refusedFile(text: String, expected: String) {
        let result = serve(["--settings=/f"], files: ["/f": text])
        #expect(sentence(result) == expected)
        #expect(status(result) == 78)
    }

    @Test("Variables of the tests and of builds are no settings")
    func testVariables() throws {
        let variables = [
            "NEUROVIEWS_TEST_FULL": "1", "NEUROVIEWS_CLIENT_ONLY": "1", "NEUROVIEWS_SHARED": "/x", "HOME": "/",
            "NEUROVIEWS_CLI_PROFILE": "tablet",
        ]
        #expect(try serve([], variables).get() == Settings())
    }

    @Test("The public URL has the real port, and the loopback address for a wildcard listener")
    func publicURL() throws {
        let cases = [
            ("127.0.0.1:0", 4711, "http://127.0.0.1:4711/v2"), ("0.0.0.0:0", 80, "http://127.0.0.1:80/v2"),
            ("[::]:0", 81, "http://[::1]:81/v2"), ("[::1]:0", 82, "http://[::1]:82/v2"),
        ]
        for (listen, port, url) in cases {
            let bound = try #require(ListenAddress(listen)).with(port: UInt16(port))
            #expect(Settings().publicURL(listeningOn: bound) == url)
        }
        let tls = try serve(["--tls-cert", "c", "--tls-key", "k"]).get()
        #expect(tls.publicURL(listeningOn: tls.listen) == "https://127.0.0.1:8080/v2")
        #expect(tls.tlsFiles == TLSFiles(certificatePath: "c", keyPath: "k"))
        #expect(try serve(["--public-url", "https://a.org/v2/"]).get().publicURLs == ["https://a.org/v2"])
    }

    @Test("The first of several public URLs is published, and each of at most 16 is validated")
    func publicURLs() throws {
        let settings = try serve(["--public-url", "https://a.org/v2, http://192.0.2.1:8080/v2/"]).get()
        #expect(settings.publicURLs == ["https://a.org/v2", "http://192.0.2.1:8080/v2"])
        #expect(settings.publicURL(listeningOn: settings.listen) == "https://a.org/v2")
        let many = [String](repeating: "https://a.org/v2", count: 16)
        #expect(try serve(["--public-url", many.joined(separator: ",")]).get().publicURLs == many)
        for bad in [
            "https://a.org/v2,", ",https://a.org/v2", "https://a.org/v2,b.org",
            (many + ["https://b.org/v2"]).joined(separator: ","),
        ] {
            #expect(throws: UsageError.self, "\(bad)") { try serve(["--public-url", bad]).get() }
        }
    }

    @Test("A Unix socket is a listen address, and only the admin listener may be off")
    func unixSockets() throws {
        let settings = try serve(["--listen", "unix:/run/a.sock", "--admin-listen", "off"]).get()
        #expect(settings.listen == .unix(path: "/run/a.sock") && settings.adminListen == .off)
        #expect(settings.publicURL(listeningOn: settings.listen) == nil)
        #expect(sentence(serve(["--listen", "off"]))?.contains("unix:") == true)
        let both = ["NEUROVIEWS_LISTEN": "unix:/run/a.sock", "NEUROVIEWS_ADMIN_LISTEN": "unix:/run/a.sock"]
        #expect(sentence(serve([], both))?.contains("can't share a path") == true)
    }

    @Test(
        "A malformed listen address is refused",
        arguments: [
            "", ":80", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "::1:80", "[::1]",
            "[]:80", "[127.0.0.1]:80", "1.2.3:80", "127.0.0.1:8080 ", "127.0.0.1:٣", "unix:", "unix:a", "unix:/a/",
            "unix:/" + String(repeating: "a", count: 107), "unix:/a\0b", "off",
        ]
    )
    func badAddresses(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
