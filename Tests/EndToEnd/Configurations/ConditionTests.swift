import TestSupport
import Testing

/// RFC 9110, 13.1 and 13.2.2.
@Suite("Conditional GET and HEAD", .blocking)
struct ConditionTests {
    /// All readable resources, with an item of the device.
    private static func resources(_ device: Device) throws -> [String] {
        let preset = Preset()
        guard try device.post(preset.json).status == 201 else { throw Program.Failure("no item") }
        return [
            "/v2/configurations/\(preset.id)", "/v2/configurations", "/v2/configurations?limit=1", "/v2/version",
            "/v2/openapi.json", "/v2/schemas/login.json", "/v2/problems", "/v2/problems/not-found",
        ]
    }

    @Test("A matching If-None-Match gets 304 with the cache fields, for GET and HEAD, weak or strong")
    func unchanged() throws {
        let device = try Shared.newDevice()
        for target in try Self.resources(device) {
            let first = try device.send("GET", target)
            let tag = try #require(first.field("etag"), "\(target)")
            for value in [tag, "W/\(tag)", "\"x\", \(tag)", ", ,\(tag) ,", "*"] {
                for method in ["GET", "HEAD"] {
                    let answer = try device.send(method, target, [("If-None-Match", value)])
                    #expect(answer.status == 304, "\(method) \(target) \(value)")
                    #expect(answer.field("etag") == tag)
                    #expect(answer.field("cache-control") == first.field("cache-control"))
                    #expect(answer.field("date") != nil)
                    #expect(answer.field("content-type") == nil)
                }
            }
            let lines = try device.send("GET", target, [("If-None-Match", "\"x\""), ("If-None-Match", tag)])
            #expect(lines.status == 304, "two lines are one list")
            #expect(try device.send("GET", target, [("If-None-Match", "\"x\"")]).status == 200)
        }
    }

    @Test("If-Match is checked before If-None-Match, compares strongly, and gets 412 without a match")
    func mismatch() throws {
        let device = try Shared.newDevice()
        for target in try Self.resources(device) {
            let tag = try #require(try device.send("GET", target).field("etag"))
            for value in ["\"x\"", "W/\(tag)"] {
                for method in ["GET", "HEAD"] {
                    let fields = [("If-Match", value), ("If-None-Match", tag)]
                    let answer = try device.send(method, target, fields)
                    #expect(answer.status == 412, "\(method) \(target) \(value)")
                    guard method == "GET" else { continue }
                    Problems.check(answer, "412 version-mismatch")
                    #expect(answer.string("detail").contains("without If-Match"), "a reader has nothing to merge")
                }
            }
            for value in [tag, "*", "\"x\", \(tag)"] {
                #expect(try device.send("GET", target, [("If-Match", value)]).status == 200, "\(target) \(value)")
                let both = try device.send("GET", target, [("If-Match", value), ("If-None-Match", tag)])
                #expect(both.status == 304, "\(target) \(value)")
            }
        }
    }

    @Test("Conditions do not change other refusals, and dates are ignored for resources without a date")
    func precedence() throws {
        let device = try Shared.newDevice()
        let missing = "/v2/configurations/\(Preset().id)"
        for name in ["If-Match", "If-None-Match"] {
            #expect(try device.send("GET", missing, [(name, "*")]).status == 404)
            #expect(try device.client.send("GET", "/v2/configurations", [(name, "\"x\"")]).status == 401)
        }
        for name in ["If-Modified-Since", "If-Unmodified-Since"] {
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            #expect(try device.send("GET", "/v2/version", [(name, date)]).status == 200)
        }
        for value in ["x", "\"", "\"a\" \"b\"", "W/", ",", "*, \"a\""] {
            Problems.check(try device.send("GET", "/v2/version", [("If-None-Match", value)]), "400 invalid-header")
        }
    }

    @Test("A public document's tag is stable and differs from those of other documents")
    func tags() throws {
        let device = try Shared.newDevice()
        var tags: Set<String> = []
        let targets = try Self.resources(device).filter { !$0.contains("configurations") }
        for target in targets {
            let tag = try #require(try device.client.send("GET", target).field("etag"))
            #expect(try device.client.send("HEAD", target).field("etag") == tag)
            tags.insert(tag)
        }
        #expect(tags.count == targets.count)
    }
}
