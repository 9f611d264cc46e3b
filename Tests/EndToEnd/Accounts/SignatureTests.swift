import Foundation
import TestSupport
import Testing

@Suite("Signed requests, on a server that requires them", .blocking)
struct SignatureTests {
    private static let target = "/v2/configurations"

    private func body(_ preset: Preset = Preset()) -> String { #"{"configuration":\#(preset.json)}"# }

    private func post(_ device: Device, _ fields: APIClient.Fields, _ body: String) throws -> HTTPAnswer {
        try device.send("POST", Self.target, fields, body: body)
    }

    @Test(
        "Signatures of both versions are accepted over the public URL or, without one, over the received Host",
        arguments: [1, 3]
    )
    func accepted(version: Int) throws {
        for device in [try Shared.signer().other(), try Shared.newDevice()] {
            let body = body()
            let origin = device.client.origin
            let fields = try device.signature("POST", origin + Self.target, body: body, version: version)
            #expect(try post(device, fields, body).status == 201)
            // The signature covers the target as it was sent, never decoded and encoded again.
            for query in ["", "?", "?device_id=a%2fb&x=%C3%A9+%20", "?x=%41"] {
                let target = Self.target + query
                let fields = try device.signature("GET", origin + target, version: version)
                #expect(try device.send("GET", target, fields).status == 200)
            }
        }
    }

    @Test("A signed PUT that loses its If-Match on the way does not overwrite a newer edit")
    func condition() throws {
        let device = try Shared.signer().other()
        let preset = Preset()
        #expect(
            try post(
                device,
                device.signature("POST", Shared.publicOrigin + Self.target, body: body(preset)),
                body(preset)
            ).status == 201
        )
        let target = "\(Self.target)/\(preset.id)"
        let url = Shared.publicOrigin + target
        let read = try device.send("GET", target, device.signature("GET", url))
        let (newer, older) = (body(preset.edited("newer", minute: 9)), body(preset.edited("older", minute: 8)))
        let ours = [("If-Match", read.field("etag") ?? "")]
        let lost = try device.signature("PUT", url, ours, body: older, version: 3)
        #expect(
            try device.send("PUT", target, device.signature("PUT", url, body: newer, version: 3), body: newer).status
                == 200
        )
        for fields in [[], [("If-Match", "*")], ours + ours] {
            #expect(try device.send("PUT", target, lost + fields, body: older).verdict == "401 signature-invalid")
        }
        #expect(try device.send("PUT", target, lost + ours, body: older).verdict == "412 version-mismatch")
    }

    @Test("A signature made with the openssl program alone is accepted")
    func openssl() throws {
        let device = try Shared.signer().other()
        let body = body()
        let script = """
            key=$(printf %s "$1" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
            digest=$(printf %s "$2" | openssl dgst -sha256 -binary | openssl base64 -A)
            time=$(date +%s)
            nonce=$(openssl rand -hex 16)
            printf 'POST\\n%s\\n%s\\n%s\\napplication/json\\n\\n\\n\\n\\n\\n%s' "$3" $time $nonce $digest \
                | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key -binary | openssl base64 -A
            echo " $time $nonce"
            """
        let program = try Program.run(
            ["/bin/sh", "-c", script, "sh", device.signingKey, body, Shared.publicOrigin + Self.target]
        )
        let words = program.output.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 3, "\(program.complaint)")
        let fields = [
            ("X-Timestamp", words[1]), ("X-Nonce", words[2]), ("X-Signature", words[0]), ("X-Signature-Version", "3"),
        ]
        #expect(try post(device, fields, body).status == 201)
    }

    @Test(
        "The output of neuroviews-server sign is accepted",
        arguments: [
            ["--version", "1"], ["--version", "3"], [],
            ["--header", "Prefer: return=minimal", "--header", "If-None-Match: *"],
        ]
    )
    func signCommand(options: [String]) throws {
        let device = try Shared.signer().other()
        let body = body()
        let file = Sandbox.makeFolder() + "/body"
        try body.write(toFile: file, atomically: true, encoding: .utf8)
        let key = file + ".key"
        try (device.signingKey + "\n").write(toFile: key, atomically: true, encoding: .utf8)
        let program = try Program.run(
            [
                Program.server, "sign", "POST", Shared.publicOrigin + Self.target, "--key-file", key, "--body", file,
            ] + options
        )
        #expect(program.status == 0)
        let fields = program.output.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        #expect(try post(device, fields, body).status == 201)
    }

    @Test("A signature of version 3 fits one method, URL, timestamp, nonce and body")
    func tampered() throws {
        let device = try Shared.signer().other()
        let preset = Preset()
        let (body, otherBody) = (body(preset), body(Preset()))
        let url = Shared.publicOrigin + Self.target
        let now = Int(Date().timeIntervalSince1970)
        func signed(_ method: String, _ url: String, body: String) throws -> APIClient.Fields {
            try device.signature(method, url, body: body, version: 3, timestamp: now, nonce: "n-\(preset.id)")
        }
        let good = try signed("POST", url, body: body)
        func with(_ index: Int, _ value: String) -> APIClient.Fields {
            var fields = good
            fields[index].1 = value
            return fields
        }
        let wrong: [APIClient.Fields] = [
            try signed("PUT", url, body: body), try signed("post", url, body: body),
            try signed("POST", url + "/", body: body), try signed("POST", url + "?", body: body),
            try signed("POST", "http://cloud.example.org" + Self.target, body: body),
            try signed("POST", "http://127.0.0.1:\(device.client.port)" + Self.target, body: body),
            try signed("POST", Self.target, body: body), try signed("POST", url, body: otherBody),
            with(0, String(now + 1)), with(1, "another"), with(3, "1"),
            Array(good.dropLast()), try Shared.device().signature("POST", url, body: body, version: 3),
        ]
        for fields in wrong { #expect(try post(device, fields, body).verdict == "401 signature-invalid", "\(fields)") }
        #expect(try post(device, good, otherBody).verdict == "401 signature-invalid")
        // None of these attempts used the nonce.
        #expect(try post(device, good, body).status == 201)
    }

    @Test("A signature with another session's key is refused")
    func otherSession() throws {
        let device = try Shared.signer()
        let tablet = try device.other()
        #expect(tablet.signingKey != device.signingKey)
        let body = body()
        let fields = try tablet.signature("POST", Shared.publicOrigin + Self.target, body: body)
        #expect(try post(device, fields, body).verdict == "401 signature-invalid")
        #expect(try post(tablet, fields, body).status == 201)
    }

    @Test("Incomplete, repeated or malformed signature headers are refused, also where signatures are optional")
    func malformed() throws {
        for device in [try Shared.signer(), try Shared.device()] {
            let body = body()
            let url = device.client.origin + Self.target
            let good = try device.signature("POST", url, body: body, version: 3)
            var wrong: [APIClient.Fields] = (0..<3).map { index in
                good.enumerated().filter { $0.offset != index }.map(\.element)
            }
            wrong += (0..<4).map { good + [good[$0]] }
            wrong += [[good[3]], [good[0]]]
            wrong += ["0", "2", "4"].map { Array(good.dropLast()) + [("X-Signature-Version", $0)] }
            for nonce in ["", "a b", "é", String(repeating: "n", count: 129)] {
                var fields = good
                fields[1].1 = nonce
                wrong.append(fields)
            }
            for time in ["", "now", "1.5", "99999999999999999999", "0x10"] {
                var fields = good
                fields[0].1 = time
                wrong.append(fields)
            }
            for fields in wrong {
                #expect(try post(device, fields, body).verdict == "401 signature-malformed", "\(fields)")
            }
            for text in ["", "x", "====", String(good[2].1.dropLast()), good[2].1 + "=", " "] {
                var fields = good
                fields[2].1 = text
                let verdict = try post(device, fields, body).verdict
                #expect(verdict == "401 signature-invalid" || verdict == "401 signature-malformed", "\(text)")
            }
        }
    }

    @Test("An X-Timestamp with a sign, a leading zero or a fraction is refused")
    func timestamps() throws {
        let device = try Shared.signer()
        let (url, now) = (Shared.publicOrigin + Self.target, Int(Date().timeIntervalSince1970))
        for text in ["0\(now)", "+\(now)", "\(now).0", " ", "-0", "١"] {
            var fields = try device.signature("POST", url, body: "x", timestamp: now)
            fields[0] = ("X-Timestamp", text)
            #expect(try post(device, fields, "x").verdict == "401 signature-malformed", "\(text)")
        }
    }

    @Test("A clock that is more than five minutes off gets 401 clock-skew with the server's time")
    func skew() throws {
        let device = try Shared.signer()
        let url = Shared.publicOrigin + Self.target
        for offset in [-310, 310, -86400, 1 << 40] {
            let now = Int(Date().timeIntervalSince1970)
            let answer = try post(device, device.signature("POST", url, body: "x", timestamp: now + offset), "x")
            #expect(answer.verdict == "401 clock-skew")
            #expect(abs((answer.int("server_time") ?? 0) - now) < 10)
            // A client that corrects its clock by this time is accepted.
            let body = body()
            let time = answer.int("server_time") ?? 0
            #expect(try post(device, device.signature("POST", url, body: body, timestamp: time), body).status == 201)
        }
        for offset in [-290, 290] {
            let body = body()
            let time = Int(Date().timeIntervalSince1970) + offset
            #expect(try post(device, device.signature("POST", url, body: body, timestamp: time), body).status == 201)
        }
    }

    @Test("A server that requires signatures requires them of every request of a session, and of no other")
    func required() throws {
        let device = try Shared.signer()
        let id = UUID().uuidString
        let requests = [
            ("GET", Self.target, nil), ("POST", Self.target, body()), ("GET", "\(Self.target)/\(id)", nil),
            ("PUT", "\(Self.target)/\(id)", body()), ("DELETE", "\(Self.target)/\(id)", nil),
            ("POST", "/v2/auth/refresh", nil), ("POST", "/v2/auth/logout", nil), ("HEAD", Self.target, nil),
        ]
        for (method, target, body) in requests {
            let answer = try device.send(method, target, body: body)
            #expect(answer.status == 401)
            if method != "HEAD" { #expect(answer.verdict == "401 signature-missing", "\(method) \(target)") }
        }
        #expect(try device.client.send("GET", "/v2/version").status == 200)
        #expect(try device.client.send("GET", "/healthz").status == 200)
        #expect(try device.other().token.isEmpty == false)
    }

    @Test("Refresh and logout need signatures, and each signature is accepted once")
    func sessionEndpoints() throws {
        let device = try Shared.signer().other()
        func signed(_ path: String) throws -> APIClient.Fields {
            try device.signature("POST", Shared.publicOrigin + path)
        }
        let refresh = try signed("/v2/auth/refresh")
        #expect(try device.send("POST", "/v2/auth/refresh", refresh).status == 200)
        #expect(try device.send("POST", "/v2/auth/refresh", refresh).verdict == "401 nonce-used")
        #expect(try device.send("POST", "/v2/auth/logout", refresh).verdict == "401 signature-invalid")
        let logout = try signed("/v2/auth/logout")
        #expect(try device.send("POST", "/v2/auth/logout", logout).status == 204)
        #expect(try device.send("POST", "/v2/auth/logout", logout).verdict == "401 session-ended")
    }
}
