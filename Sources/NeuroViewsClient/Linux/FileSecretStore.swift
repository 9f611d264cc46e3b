import Glibc

/// Secrets in files of mode 0600 in a folder of mode 0700, for systems without a keyring that is always there.
///
/// The files are not encrypted: the user's account and the disk protect them. What others can read is refused.
package struct FileSecretStore: SecretStore {
    private let folder: String

    /// `folder` is made by the first `write`.
    package init(folder: String) { self.folder = folder }

    package func read(_ name: String) throws(SecretError) -> [UInt8]? {
        do throws(PrivateFolder.Failure) {
            return try PrivateFolder.open(folder).read(Self.fileName(name))
        } catch {
            switch error {
            case .system(let failure) where failure == FileFailure(folder, code: ENOENT): return nil
            case .system(let failure): throw .unreadable(failure.description)
            case .notPrivate(let path): throw .notPrivate(path)
            }
        }
    }

    package func write(_ name: String, _ value: [UInt8]?) throws(SecretError) {
        do throws(PrivateFolder.Failure) {
            let folder = try PrivateFolder.make(folder)
            if let value {
                try folder.replace(Self.fileName(name), with: value)
            } else {
                try folder.remove(Self.fileName(name))
            }
        } catch {
            switch error {
            case .system(let failure): throw .unwritable(failure.description)
            case .notPrivate(let path): throw .notPrivate(path)
            }
        }
    }

    /// Letters, digits, "-", "_" and inner dots stay; each other byte becomes "%" and two digits. So no name leaves the folder
    /// or meets a temporary file, whose name begins with a dot.
    static func fileName(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var file = ""
        for (index, byte) in name.utf8.enumerated() {
            let character = Character(Unicode.Scalar(byte))
            let stays = byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
            if stays || (character == "." && index > 0) {
                file.append(character)
            } else {
                file += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return file
    }
}
