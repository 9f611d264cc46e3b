import CloudSync
import Foundation
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// The clients' operations on recordings, except for the transfer of bytes.
struct RecordingTests {
    private static let id = "0A1B2C3D-0000-4000-8000-00000000ABCD"

    @Test("A repeated request gets the same upload, and one for another file under its id is refused")
    func sameUpload() async throws {
        try await World.with { world in
            let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
            let first = try await service.upload(Self.id, Self.wish, for: caller)
            let again = try await world.recordings[1].upload(Self.id, Self.wish, for: caller)
            #expect(first.isNew && !again.isNew)
            #expect(first.token == again.token)
            #expect(first.expiresAt == again.expiresAt)
            var other = Self.wish
            other.size += 1
            await #expect(throws: CloudSyncError.self) { try await service.upload(Self.id, other, for: caller) }
        }
    }

    @Test("The upload of a disabled account is over, and goes on when the account is enabled again")
    func disabled() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let grant = try await world.recordings[0].upload(Self.id, Self.wish, for: caller)
            let uploads = UploadService(database: world.databases[0], keys: World.keys)
            let object = try uploads.objectKey(ofToken: grant.token)
            let change = UploadChange(phase: .open, offset: 1, epoch: 1)
            for (time, isDisabled) in [("now()", true), ("NULL", false)] {
                try await world.sql("UPDATE users SET disabled_at = \(time) WHERE id = '\(caller.userID)'")
                let upload = try await uploads.load(object)
                #expect((upload.secondsLeft <= 0) == isDisabled)
                #expect(try await uploads.store(change, of: object, ifEpoch: 0) != isDisabled)
            }
        }
    }

    @Test("A recording belongs to the session's device unless its upload names another, and is found by it")
    func devices() async throws {
        try await World.with { world in
            let (service, callers) = (world.recordings[0], try await world.newAccount(devices: 2))
            let other = "0A1B2C3D-0000-4000-8000-00000000ABCE"
            var named = Self.wish
            named.deviceID = "camera"
            let first = try await service.upload(Self.id, Self.wish, for: callers[0])
            _ = try await service.upload(other, named, for: callers[0])
            // The same request of another session without a device's name is for the same upload.
            #expect(try await service.upload(Self.id, Self.wish, for: callers[1]).token == first.token)
            await #expect(throws: CloudSyncError.self) { try await service.upload(Self.id, named, for: callers[0]) }
            try await world.sql(
                "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()"
            )
            for id in [Self.id, other] {
                _ = try await service.complete(id, try Self.metadata("A.mov"), for: callers[1]).get()
            }
            for (device, ids) in [("device-1", [Self.id]), ("camera", [other]), ("device-2", [])] {
                var filter = RecordingFilter()
                filter.deviceID = device
                #expect(Self.ids(try await Self.list(service, filter, callers[0])) == ids, "\(device)")
            }
        }
    }

    /// Creates a completed recording in a new account.
    private static func completed(_ world: World) async throws -> (RecordingService, Caller, CompletedRecording) {
        let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
        _ = try await service.upload(id, wish, for: caller)
        try await world.sql("UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()")
        return (service, caller, try await service.complete(id, try metadata("A.mov"), for: caller).get())
    }

    @Test("A recording with all bytes is completed, repeatably, and then read and listed")
    func completed() async throws {
        try await World.with { world in
            let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
            _ = try await service.upload(Self.id, Self.wish, for: caller)
            await #expect(throws: CloudSyncError.self) {
                try await service.complete(Self.id, try Self.metadata("A.mov"), for: caller).get()
            }
            try await world.sql(
                "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()"
            )
            let completed = try await service.complete(Self.id, try Self.metadata("A.mov"), for: caller).get()
            let again = try await service.complete(Self.id, try Self.metadata("A.mov"), for: caller).get()
            #expect(again.version == completed.version)
            #expect(completed.id == Self.id)

            let stored = try await service.get(Self.id, for: caller)
            let document = try JSONParser.parse(stored.document, policy: .rfc8259)
            #expect(document["filename"]?.string == "A.mov")
            #expect(document["processing_status"]?.string == "pending")
            #expect(document["unknown"]?.string == "kept")

            let list = try await Self.list(service, RecordingFilter(), caller)
            #expect(list.total == 1)
            #expect(Self.ids(list) == [Self.id])
            var filter = RecordingFilter()
            filter.tag = "dawn"
            #expect(try await Self.list(service, filter, caller).total == 1)
            filter.tag = "dusk"
            #expect(try await Self.list(service, filter, caller).total == 0)
        }
    }

    @Test("A repeated completion with one null more is a retry, and one with another time is a conflict")
    func equivalentRetry() async throws {
        try await World.with { world in
            let (service, caller, completed) = try await Self.completed(world)
            func complete(at time: String) async throws -> CompletedRecording {
                let text = """
                    {"tags":["sea",{"name":"dawn"}],"unknown":"kept","location":null,"filename":"A.mov",
                    "creation_date":"\(time)"}
                    """
                let metadata = try RecordingMetadata(try JSONParser.parse(Array(text.utf8), policy: .rfc8259))
                return try await service.complete(Self.id, metadata, for: caller).get()
            }
            #expect(try await complete(at: "2026-03-01T13:00:00+01:00").version == completed.version)
            await #expect(throws: CloudSyncError.self) { try await complete(at: "2026-03-01T12:00:01Z") }
        }
    }

    @Test("A missing model is that of the sending device, and a retry after the device's update changes nothing")
    func sender() async throws {
        try await World.with { world in
            let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
            func describe(_ model: String) async throws {
                let description = DeviceDescription(name: "Phone", model: model, appVersion: "3.2.0")
                _ = try await DeviceService(database: world.databases[0], now: { 0 }).put(
                    "device-1",
                    description,
                    for: caller
                )
            }
            try await describe("iPhone17,1")
            _ = try await service.upload(Self.id, Self.wish, for: caller)
            try await world.sql(
                "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()"
            )
            let completed = try await service.complete(Self.id, try Self.metadata("A.mov"), for: caller).get()
            try await describe("iPhone18,1")
            let again = try await service.complete(Self.id, try Self.metadata("A.mov"), for: caller).get()
            #expect(again.version == completed.version)
            func model() async throws -> String? {
                let stored = try await service.get(Self.id, for: caller)
                return try JSONParser.parse(stored.document, policy: .rfc8259)["device_model"]?.string
            }
            #expect(try await model() == "iPhone17,1")
            func patch(_ text: String) async throws {
                let patch = try MergePatch(text: text)
                let conditions = WriteConditions()
                _ = try await service.patch(Self.id, patch, conditions, by: Self.rules, for: caller).get()
            }
            try await patch(#"{"filename":"B.mov"}"#)
            #expect(try await model() == "iPhone17,1", "a patch changes the members that it names")
            try await patch(#"{"device_model":null}"#)
            #expect(try await model() == "iPhone18,1")
        }
    }

    @Test("A patch and a deletion of a recording are in the delta")
    func changed() async throws {
        try await World.with { world in
            let (service, caller, completed) = try await Self.completed(world)
            let before = try #require(try await service.changes.delta(DeltaRequest(cursor: .none), for: caller))
            #expect(before.count == 1)
            let patched = try await service.patch(
                Self.id,
                MergePatch(text: #"{"filename":"B.mov","processing_status":"ready"}"#),
                WriteConditions(),
                by: Self.rules,
                for: caller
            ).get()
            #expect(patched.version.number == completed.version.number + 1)
            let stale = WriteConditions(ifMatch: .versions([completed.version]))
            await #expect(throws: CloudSyncError.self) {
                try await service.delete(Self.id, stale, for: caller).get()
            }
            _ = try await service.delete(Self.id, WriteConditions(), for: caller).get()
            await #expect(throws: CloudSyncError.self) { try await service.get(Self.id, for: caller) }
            let after = try #require(
                try await service.changes.delta(DeltaRequest(cursor: .token(before.next)), for: caller)
            )
            #expect(after.count == 1)
            #expect(after[0].isDeleted)
            #expect(!after.isReset)
            await #expect(throws: CloudSyncError.self) { try await service.upload(Self.id, Self.wish, for: caller) }
        }
    }

    @Test("A patch that changes nothing of a recording writes no version, and its conditions are checked")
    func unchanged() async throws {
        try await World.with { world in
            let (service, caller, completed) = try await Self.completed(world)
            func patch(_ text: String, _ conditions: WriteConditions) async throws -> WriteReceipt {
                let patch = try MergePatch(text: text)
                return try await service.patch(Self.id, patch, conditions, by: Self.rules, for: caller).get()
            }
            let edited = try await patch(#"{"iso":400}"#, WriteConditions())
            let current = WriteConditions(ifMatch: .versions([edited.version]))
            for text in [
                "{}", #"{"iso":4e2}"#, #"{"filename":"A.mov","tags":["sea",{"name":"dawn"}]}"#, #"{"missing":null}"#,
                #"{"created_at":"2026-03-01T12:00:00Z"}"#, #"{"creation_date":"2026-03-01T12:00:00Z"}"#,
                #"{"processing_status":"ready"}"#, #"{"device_model":null}"#,
            ] {
                for conditions in [current, WriteConditions(ifMatch: .any), WriteConditions()] {
                    let receipt = try await patch(text, conditions)
                    #expect(receipt.version == edited.version && receipt.changedAt == edited.changedAt, "\(text)")
                }
            }
            for refused in [
                WriteConditions(ifMatch: .versions([completed.version])),
                WriteConditions(ifNoneMatch: .versions([edited.version])),
            ] {
                await #expect(throws: CloudSyncError.self) { try await patch("{}", refused) }
            }
            #expect(try await world.sql("SELECT count(*) FROM recording_versions").first?.text(0) == "2")
            // Another spelling of a time is an edit of its text, as in configurations.
            let spelled = try await patch(#"{"created_at":"2026-03-01T13:00:00+01:00"}"#, current)
            #expect(spelled.version.number == 3)
        }
    }

    @Test("The pages of a list are complete and in order, by cursor and by offset")
    func pages() async throws {
        try await World.with { world in
            let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
            var ids: [String] = []
            for number in 0..<7 {
                let id = "00000000-0000-4000-8000-00000000000\(number)"
                _ = try await service.upload(id, Self.wish, for: caller)
                try await world.sql(
                    "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()"
                )
                // Two recordings have the same time.
                let minute = min(number, 5)
                _ = try await service.complete(id, try Self.metadata("\(number)", minute: minute), for: caller).get()
                ids.insert(id, at: 0)
            }
            var byCursor: [String] = []
            var cursor: RecordingCursor?
            repeat {
                let page = try await Self.list(service, RecordingFilter(), caller, before: cursor, limit: 2)
                #expect(page.total == 7)
                byCursor += Self.ids(page)
                cursor = page.next
            } while cursor != nil
            #expect(byCursor == ids)
            var byOffset: [String] = []
            for offset in stride(from: 0, to: 8, by: 3) {
                byOffset += Self.ids(
                    try await Self.list(service, RecordingFilter(), caller, offset: offset, limit: 3)
                )
            }
            #expect(byOffset == ids)
        }
    }

    @Test("A deletion after a list's page is in the delta from the list's head")
    func headOfList() async throws {
        try await World.with { world in
            let (service, caller) = (world.recordings[0], try await world.newAccount()[0])
            _ = try await service.upload(Self.id, Self.wish, for: caller)
            try await world.sql(
                "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()"
            )
            _ = try await service.complete(Self.id, try Self.metadata("A"), for: caller).get()
            @Sendable func list() -> Task<RecordingList, any Error> {
                Task(executorPreference: world.loops[0]) { try await Self.list(service, RecordingFilter(), caller) }
            }
            // The first list prepares the connection's statements. Planning a statement later would take its locks
            // before the other statements run.
            #expect(Self.ids(try await list().value) == [Self.id])
            let holder = try await onThread { [connectionString = world.connectionString] in
                let holder = Holder(session: try BlockingSession(connectionString))
                // Reading a head waits for this lock.
                try holder.session.execute(
                    "SET search_path = neuroviews; BEGIN; LOCK TABLE sync_heads IN ACCESS EXCLUSIVE MODE"
                )
                return holder
            }
            let listing = list()
            try await eventually {
                let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'sync_heads'::regclass"
                return try await world.sql(waiting).first?.text(0) == "1"
            }
            try await onThread {
                _ = try holder.session.execute("DELETE FROM recording_files; COMMIT")
            }
            #expect(Self.ids(try await listing.value).isEmpty)
        }
    }

    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    private static let wish = UploadWish(size: 1000, contentType: "video/quicktime")

    private static func metadata(_ name: String, minute: Int = 0) throws -> RecordingMetadata {
        let text = """
            {"filename":"\(name)","created_at":"2026-03-01T12:0\(minute):00Z","tags":["sea",{"name":"dawn"}],"unknown":"kept"}
            """
        return try RecordingMetadata(try JSONParser.parse(Array(text.utf8), policy: .rfc8259))
    }

    private static let rules: @Sendable (JSONValue) throws(CloudSyncError) -> RecordingMetadata = {
        value throws(CloudSyncError) in try RecordingMetadata(value)
    }

    private static func ids(_ page: RecordingList) -> [String] {
        guard case .recordings(let recordings) = page.content else { return [] }
        return (0..<recordings.count).map { index in
            var id: [UInt8] = []
            recordings[index].appendID(to: &id)
            return String(decoding: id, as: UTF8.self)
        }
    }

    private static func list(
        _ service: RecordingService,
        _ filter: RecordingFilter,
        _ caller: Caller,
        before: RecordingCursor? = nil,
        offset: Int = 0,
        limit: Int = 100
    ) async throws -> RecordingList {
        try await service.list(filter, before: before, offset: offset, limit: limit, for: caller)
    }
}
