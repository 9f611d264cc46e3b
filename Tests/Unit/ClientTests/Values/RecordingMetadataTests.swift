import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("The metadata of a recording")
struct RecordingMetadataTests {
    private let date = Date(timeIntervalSince1970: 1_700_000_000)

    /// Refused assignments, each with the place that is named.
    private static let refusals: [(String, InvalidEdit.Reason, @Sendable (inout RecordingMetadata) -> Void)] = [
        ("/frame_rate", .notFinite, { $0.frameRate = .nan }),
        ("/duration", .notFinite, { $0.duration = .infinity }),
        ("/location", .notFinite, { $0.location = .init(latitude: .nan, longitude: 0) }),
        ("/location", .notFinite, { $0.location?.altitude = -.infinity }),
        ("/exposure_settings/iso", .notFinite, { $0.exposure?.iso = .nan }),
        ("/creation_date", .notATime, { $0.creationDate = Date(timeIntervalSince1970: .nan) }),
        ("/creation_date", .notATime, { $0.creationDate = .distantFuture.addingTimeInterval(1e12) }),
        (
            "/a~1b", .tooDeep(maxLevels: 63),
            { $0["a/b"] = (0..<63).reduce(NeuroViewsClient.JSONValue.null) { value, _ in .array([value]) } }
        ),
    ]

    private func whole() -> RecordingMetadata {
        var metadata = RecordingMetadata(creationDate: date)
        (metadata.frameRate, metadata.duration) = (29.97, 12)
        metadata.location = .init(latitude: 52.5, longitude: 13.4, altitude: 34)
        metadata.exposure = ExposureSettings(iso: 400)
        metadata["a/b"] = [1]
        return metadata
    }

    @Test("A value that can't be kept is refused by its place, and the member stays", arguments: refusals.indices)
    func refused(index: Int) {
        let (pointer, reason, assign) = Self.refusals[index]
        var metadata = whole()
        #expect(metadata.invalid == nil)
        assign(&metadata)
        #expect(metadata.invalid == InvalidEdit(pointer: pointer, reason: reason))
        #expect(metadata == whole())
        // The first one is kept.
        metadata.duration = .nan
        #expect(metadata.invalid?.pointer == pointer)
    }

    @Test("A time that can't be written is refused when the metadata are made, too")
    func made() {
        #expect(RecordingMetadata(creationDate: Date(timeIntervalSince1970: .infinity)).invalid?.reason == .notATime)
    }

    @Test("The deepest value that a request may have is kept, and nil removes a member")
    func bounds() {
        var metadata = whole()
        let deep = (0..<62).reduce(NeuroViewsClient.JSONValue.null) { value, _ in .array([value]) }
        metadata["a/b"] = deep
        #expect(metadata.invalid == nil && metadata["a/b"] == deep)
        (metadata.frameRate, metadata.location, metadata.exposure) = (nil, nil, nil)
        #expect(metadata["frame_rate"] == nil && metadata["location"] == nil && metadata["exposure_settings"] == nil)
    }

    @Test("A filter with a time that can't be written is refused")
    func filter() throws {
        var filter = RecordingFilter()
        filter.from = Date(timeIntervalSince1970: .nan)
        #expect(throws: ClientError.invalidArgument("from must be a time within the years 0 to 9999.")) {
            try filter.path(before: nil)
        }
        filter.from = date
        #expect(try filter.path(before: nil) == "/recordings?from=2023-11-14T22%3A13%3A20Z")
    }
}
