import FoundationEssentials
import Glibc

extension XMLElement {
    /// Reads an object from an element of a listing. Nil for a name in another form than this server's. `writtenAt` is
    /// the name of the time's element.
    func listedObject(writtenAt time: String, bytes: Int?) -> StoredObject? {
        guard let key = self["Key"].flatMap(ObjectKey.init), let bytes, let written = self[time].flatMap(Self.seconds)
        else { return nil }
        return StoredObject(key: key, bytes: bytes, writtenAtS: written)
    }

    /// Accepts fractions of a second or none (ISO 8601); services differ.
    private static func seconds(_ time: String) -> Int? {
        let date = [true, false].lazy.compactMap {
            try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: $0))
        }
        return date.first.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }
}
