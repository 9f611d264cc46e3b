/// One numbered file of this folder, embedded in the binary.
public struct Migration: Sendable {
    /// The file's number; they are applied in its order and never changed afterwards.
    public let number: Int
    /// The file's name.
    public let name: String
    /// The file's contents.
    public let sql: String

    private init(_ number: Int, _ name: String, _ bytes: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: bytes, as: UTF8.self)
    }

    /// Said before every migration; does nothing where the roles are there.
    public static let roles = String(decoding: PackageResources.roles_sql, as: UTF8.self)

    /// All of them, in order. A test compares this list with the folder.
    public static let all = [
        Migration(1, "0001_accounts.sql", PackageResources._001_accounts_sql),
        Migration(2, "0002_configurations.sql", PackageResources._002_configurations_sql),
        Migration(3, "0003_writes.sql", PackageResources._003_writes_sql),
        Migration(4, "0004_history.sql", PackageResources._004_history_sql),
        Migration(5, "0005_devices.sql", PackageResources._005_devices_sql),
        Migration(6, "0006_configuration_merges.sql", PackageResources._006_configuration_merges_sql),
        Migration(7, "0007_sweeps.sql", PackageResources._007_sweeps_sql),
        Migration(8, "0008_writes.sql", PackageResources._008_writes_sql),
    ]
}
