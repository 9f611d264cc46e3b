import Foundation
import Testing

@testable import PrivateCluster
@testable import Settings

@Suite("The place of a private cluster", .enabled(if: geteuid() == 0, "needs root"), .blocking)
struct ClusterLocationTests {
    private let folder: TemporaryFolder
    /// A data folder that PostgreSQL's account can't enter.
    private let data: String
    private let roots: ClusterLocation.Roots

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/closed/data"
        roots = ClusterLocation.Roots(clusters: folder.path + "/clusters", sockets: "/tmp")
        try make(folder.path + "/closed", 0o700)
        try make(data, 0o711)
    }

    private func make(_ path: String, _ mode: mode_t) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(chmod(path, mode) == 0)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// Finds the place, and expects that PostgreSQL's account reaches it.
    private func find() throws -> ClusterLocation {
        let account = try ClusterAccount.ofNewCluster(data: data)
        let location = try ClusterLocation.find(data: data, account: account, roots: roots)
        #expect(account.reaches(location.home), "\(location.home)")
        return location
    }

    @Test("A folder for clusters that a umask has closed is opened for a new cluster")
    func new() throws {
        try make(roots.clusters, 0o700)
        let location = try find()
        #expect(location.home.hasPrefix(roots.clusters + "/"))
        #expect(mode(roots.clusters) == 0o711)
        #expect(mode(folder.path + "/closed") == 0o700)
    }

    @Test("The folders that a failed start left closed are opened by the next one")
    func left() throws {
        try make(roots.clusters, 0o700)
        try make(roots.clusters + "/left", 0o750)
        try Data("\(roots.clusters)/left\n".utf8).write(to: URL(fileURLWithPath: data + "/postgres.location"))
        #expect(try find().home == roots.clusters + "/left")
        #expect(mode(roots.clusters + "/left") == 0o751)
    }

    @Test("The folders that a failed start left closed are opened behind a symbolic link, too")
    func link() throws {
        let volume = folder.path + "/volume"
        try make(volume, 0o700)
        try make(volume + "/left", 0o700)
        try FileManager.default.createSymbolicLink(atPath: roots.clusters, withDestinationPath: volume)
        try Data("\(roots.clusters)/left\n".utf8).write(to: URL(fileURLWithPath: data + "/postgres.location"))
        // PostgreSQL and its socket are known by the path without links.
        #expect(try find().home == volume + "/left")
        #expect(mode(volume) == 0o711 && mode(volume + "/left") == 0o711)
    }

    @Test("A closed folder of the operator stays closed, also if it is named as the cluster's place")
    func operatorsFolder() throws {
        let own = folder.path + "/own"
        try make(own, 0o700)
        try make(own + "/cluster", 0o700)
        try Data("\(own)/cluster\n".utf8).write(to: URL(fileURLWithPath: data + "/postgres.location"))
        let account = try ClusterAccount.ofNewCluster(data: data)
        let location = try ClusterLocation.find(data: data, account: account, roots: roots)
        #expect(location.home == own + "/cluster")
        #expect(mode(own) == 0o700 && mode(own + "/cluster") == 0o700)
    }
}
