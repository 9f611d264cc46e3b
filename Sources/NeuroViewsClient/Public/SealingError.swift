/// The reason why a recording can't be sealed, or a sealed one can't be opened. The target file was not touched.
public enum SealingError: Error, Hashable, Sendable {
    /// This device has no key to seal with.
    case noKey
    /// The recording was sealed with the key of this id, which this device does not have.
    case keyMissing(id: String)
    /// The device has a key of this id, and it does not open the recording: the server changed what belongs to it.
    case wrongKey(id: String)
    /// A newer app sealed the recording.
    case newerScheme(String)
    /// The file's bytes were changed, moved, or are those of another recording.
    case changed
    /// The end of the file is missing.
    case cut
    /// The text is no key: a character is wrong or missing.
    case mistypedKey
    /// The metadata have more bytes than a sealed recording may have.
    case metadataTooLarge(maxBytes: Int)
    /// The file has more bytes than this library seals.
    case fileTooLarge(maxBytes: Int64)
}

extension SealingError: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .noKey: "This device has no key for sealed recordings: make one, or enter that of another device."
        case .keyMissing(let id):
            "The recording is sealed with the key \(id), which this device does not have: enter it."
        case .wrongKey(let id):
            "The recording does not open with its key \(id): the server has changed what belongs to it."
        case .newerScheme(let scheme): "A newer app sealed the recording (\(scheme)): update this one."
        case .changed: "The sealed file was changed, or is that of another recording. Nothing of it was kept."
        case .cut: "The end of the sealed file is missing. Nothing of it was kept."
        case .mistypedKey: "That is no key: it has 56 characters, and one of them is wrong or missing."
        case .metadataTooLarge(let maxBytes):
            "The metadata of a sealed recording have at most \(maxBytes) bytes of JSON."
        case .fileTooLarge(let maxBytes): "A file that is sealed has at most \(maxBytes) bytes."
        }
    }
}
