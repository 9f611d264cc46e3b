import TestSupport
import Testing

@Suite("The hourly limit of writes", .blocking)
struct WriteRateTests {
    @Test("Writes over the hourly limit get 429; reads, other accounts and ended sessions do not count")
    func limit() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--writes-per-hour-max", "5"]
        let client = try ServerProcess(arguments).client
        let (device, other) = (try Device.new(client), try Device.new(client))
        let ended = try device.other()
        #expect(try ended.send("POST", "/v2/auth/logout").status == 204)
        for _ in 0..<10 {
            #expect(try ended.post(Preset().json).verdict == "401 session-ended")
            #expect(try ended.post("{}").status == 422)
        }
        let preset = Preset()
        let statuses = try (0..<5).map { _ in try device.post(preset.json).status }
        #expect(statuses == [201, 201, 201, 201, 201])
        let refused = try device.post(Preset().json)
        Problems.check(refused, "429 rate-limited")
        #expect(refused.field("ratelimit-policy") == #""writes";q=5;w=3600"#)
        let waitSeconds = try #require(refused.field("retry-after").flatMap { Int($0) })
        // Spread by a minute at most.
        #expect((700...780).contains(waitSeconds))
        #expect(try device.get(preset.id).status == 200)
        // The owner can end the session that made these writes.
        #expect(try device.send("POST", "/v2/auth/logout").status == 204)
        #expect(try other.post(Preset().json).status == 201)
    }

    @Test("A batch counts as one write for each ten of its operations")
    func batch() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--writes-per-hour-max", "5"]
        let device = try Device.new(try ServerProcess(arguments).client)
        func statuses(_ count: Int) throws -> [Int] {
            let operations = (0..<count).map { _ in #"{"operation":"create","configuration":\#(Preset().json)}"# }
            let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
            let batch = try device.send("POST", "/v2/configurations/batch", body: body).status
            return [batch, try device.post(Preset().json).status]
        }
        #expect(try statuses(10) == [200, 201])
        #expect(try statuses(100) == [200, 429])
    }
}
