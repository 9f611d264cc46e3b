import FoundationEssentials
import Glibc

extension XMLElement {
    /// The object that an element of a listing describes; nil for a name that this server does not make. `writtenAt` names the time.
    func listedObject(writtenAt time: String, bytes: Int?) -> StoredObject? {
        guard let key = self["Key"].flatMap(ObjectKey.init), let bytes, let written = self[time].flatMap(Self.seconds)
        else { return nil }
        return StoredObject(key: key, bytes: bytes, writtenAtS: written)
    }

    /// Services write fractions of a second or none (ISO 8601).
    private static func seconds(_ time: String) -> Int? {
        let date = [true, false].lazy.compactMap {
            try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: $0))
        }
        return date.first.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }
}
