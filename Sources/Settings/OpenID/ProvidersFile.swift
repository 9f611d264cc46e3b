import Credentials
import FoundationEssentials
import Glibc
import Machine
import NeuroViewsJSON

/// Reads the file of OpenID providers and the key files that it names.
package enum ProvidersFile {
    private static let maxBytes = 256 << 10
    private static let providersMax = 20

    /// Reads the providers; none if `path` is nil. Blocks. Throws `CommandFailure`.
    package static func load(_ path: String?) throws(CommandFailure) -> [ProviderEntry] {
        guard let path else { return [] }
        let bytes = try bytes(path, maxBytes: maxBytes)
        guard let items = (try? JSONParser.parse(bytes, policy: .requestBody))?.array, 1...providersMax ~= items.count
        else {
            throw failure(path, "it must be a JSON array of 1 to \(providersMax) objects")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var entries: [ProviderEntry] = []
        for (index, item) in items.enumerated() {
            let entry = try entry(item, number: index + 1, folder, path)
            if let twice = entries.first(where: { $0.name == entry.name || $0.issuer == entry.issuer }) {
                throw failure(
                    path,
                    "entry \(index + 1) has the name or the issuer of \(twice.name): put all audiences into one entry"
                )
            }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(
        _ json: JSONValue,
        number: Int,
        _ folder: String,
        _ path: String
    ) throws(CommandFailure) -> ProviderEntry {
        do throws(ProviderEntry.Fault) {
            return try ProviderEntry(json, folder: folder)
        } catch {
            throw failure(path, "entry \(number) \(error.text)")
        }
    }

    /// Reads the keys in a file, at least one. Blocks. Throws `CommandFailure`.
    package static func keys(_ path: String) throws(CommandFailure) -> JSONWebKeySet {
        guard let keys = usable(try bytes(path, maxBytes: JSONWebKeySet.maxBytes + 1)) else {
            throw CommandFailure(
                "The file \(path) is no JSON Web Key Set with a key for ES256, ES384 or RS256: put what the provider serves as its jwks_uri there."
            )
        }
        return keys
    }

    /// Returns nil if there is no usable key.
    package static func usable(_ bytes: [UInt8]) -> JSONWebKeySet? {
        (try? JSONWebKeySet(json: bytes)).flatMap { $0.keys.isEmpty ? nil : $0 }
    }

    /// Rejects a file that everybody can change: a foreign key in it would let anybody log in.
    private static func bytes(_ path: String, maxBytes: Int) throws(CommandFailure) -> [UInt8] {
        do throws(FileError) {
            let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
            if try file.status().st_mode & 0o002 != 0 {
                throw FileError("trust what everybody can change (chmod o-w) in", path, code: EPERM)
            }
            return try file.read(maxBytes: maxBytes)
        } catch {
            throw failure(path, "\(error)")
        }
    }

    private static func failure(_ path: String, _ text: String) -> CommandFailure {
        CommandFailure(
            "The OpenID providers can't be read: \(text). NEUROVIEWS_OPENID_PROVIDERS_FILE names \(path); docs/interface.md has an example."
        )
    }
}
