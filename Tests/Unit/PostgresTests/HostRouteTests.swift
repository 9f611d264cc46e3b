import Net
import TestSupport
import Testing

@testable import Postgres

@Suite("Connections to a database with several hosts", .timeLimit(.minutes(Patience.minutes(2))))
struct HostRouteTests {
    private static func host(_ name: String, _ port: String = "", _ address: String = "") -> DatabaseHost {
        DatabaseHost(name: name, address: address, port: port)
    }

    @Test("Database hosts and ports are read from a URI and from conninfo")
    func hosts() {
        #expect(DatabaseHost.all(in: "postgresql://u@a:1,b:2/d") == [Self.host("a", "1"), Self.host("b", "2")])
        #expect(DatabaseHost.all(in: "host=a,b port=5 dbname=d") == [Self.host("a", "5"), Self.host("b", "5")])
        #expect(DatabaseHost.all(in: "host=a hostaddr=192.0.2.1") == [Self.host("a", "", "192.0.2.1")])
        #expect(
            DatabaseHost.all(in: "hostaddr=192.0.2.1,192.0.2.2 port=1,2").map(\.address) == ["192.0.2.1", "192.0.2.2"]
        )
        for text in ["dbname=d", "host=a,b port=1,2,3", "host=a hostaddr=192.0.2.1,192.0.2.2", "nonsense=1"] {
            #expect(DatabaseHost.all(in: text) == [], "\(text)")
        }
    }

    @Test("Variables of libpq complete a connection string, and a service leaves it to libpq")
    func environment() {
        func variables(_ set: [String: String]) -> (String) -> String? { return { set[$0] } }
        let set = ["PGHOST": "b", "PGHOSTADDR": "192.0.2.1", "PGPORT": "7"]
        #expect(DatabaseHost.all(in: "dbname=d", variables(set)) == [Self.host("b", "7", "192.0.2.1")])
        #expect(DatabaseHost.all(in: "host=a", variables(set)) == [Self.host("a", "7", "192.0.2.1")])
        #expect(DatabaseHost.all(in: "host=a port=1 service=s", variables(set)) == [Self.host("a", "1")])
        let service = set.merging(["PGSERVICE": "s"]) { own, _ in own }
        #expect(DatabaseHost.all(in: "dbname=d", variables(service)) == [])
        #expect(HostRoute("host=a,b", variables([:])).sessionAttributes == "read-write")
        for said in ["PGTARGETSESSIONATTRS", "PGSERVICE"] {
            #expect(HostRoute("host=a,b", variables([said: "any"])).sessionAttributes == nil, "\(said)")
        }
        #expect(HostRoute("host=a", variables(["PGCONNECT_TIMEOUT": "3"])).limitMs == 3000)
    }

    @Test("A connection notices a host that has gone without a word, and its string may set other times")
    func keepalives() {
        let options = HostRoute("host=a keepalives_idle=60").options
        let defaults = options.prefix { $0.0 != "dbname" }
        for option in [("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3")] {
            #expect(defaults.contains { $0 == option }, "\(option)")
        }
        // libpq takes the later one.
        #expect(options.contains { $0 == ("dbname", "host=a keepalives_idle=60") })
    }

    @Test("The last good database host is tried first and a silent one last, for a while")
    func memory() {
        let memory = HostMemory()
        let all = ["a", "b", "c"].map { Self.host($0) }
        func order() -> [String] { memory.ordered(all).map { $0.host.name + ($0.isSilent ? " silent" : "") } }
        #expect(order() == ["a", "b", "c"])
        memory.noteSilent(all[0])
        #expect(order() == ["b", "c", "a silent"])
        memory.noteGood(all[2], among: all)
        #expect(order() == ["c", "b", "a silent"])
        memory.noteGood(all[0], among: all)
        #expect(order() == ["a", "b", "c"])
        memory.noteSilent(all[0])
        #expect(order() == ["b", "c", "a silent"])
    }

    @Test("A silent first database host delays one connection, and not the next")
    func silent() async throws {
        let silent = try ListeningSocket()
        try await onThread {
            // No other test has connected to this host before.
            let cluster = try TestCluster()
            let url =
                "host=127.0.0.1,\(cluster.directory) port=\(silent.port),5432 user=\(TestCluster.user) dbname=postgres"
            func connect(_ url: String) throws -> Duration {
                try ContinuousClock().measure { try BlockingSession(url).execute("SELECT 1") }
            }
            let first = try connect(url)
            #expect(first > .milliseconds(1900), "\(first)")
            let next = try connect(url)
            #expect(next < .milliseconds(1900), "\(next)")
            let other = try connect(url + " connect_timeout=30")
            #expect(other < .milliseconds(1900), "what one connection found, the others know: \(other)")
            print("silent first host: \(first), then \(next)")
        }
    }

    @Test("A single silent database host is given up after connect_timeout, with its name")
    func oneSilent() async throws {
        let silent = try ListeningSocket()
        try await onThread {
            let clock = ContinuousClock()
            let begin = clock.now
            do {
                _ = try BlockingSession(
                    "host=localhost hostaddr=127.0.0.1 port=\(silent.port) user=x connect_timeout=1"
                )
                Issue.record("a host that says nothing")
            } catch DatabaseError.unavailable(let reason) {
                #expect(reason == "localhost (127.0.0.1) did not answer within 1000 ms")
            }
            #expect(clock.now - begin > .milliseconds(900))
        }
    }

    @Test("The database host that takes writes is chosen among several")
    func readWrite() async throws {
        try await onThread {
            let (standby, primary) = (try TestCluster(), try TestCluster())
            try standby.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            try standby.execute("SELECT pg_reload_conf()")
            let both = "host=\(standby.directory),\(primary.directory) user=\(TestCluster.user) dbname=postgres"
            try Deadline.wait("the new setting", seconds: 10) {
                let setting = "SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only'"
                return try BlockingSession(standby.connectionString()).execute(setting).first?.text(0) == "on"
            }
            let chosen = try BlockingSession(both).execute("SHOW unix_socket_directories").first?.text(0)
            #expect(chosen == primary.directory)
            // The standby becomes the primary.
            try primary.kill()
            let session = try BlockingSession(standby.connectionString())
            try session.execute("ALTER SYSTEM RESET ALL")
            try session.execute("SELECT pg_reload_conf()")
            try Deadline.wait("the way to the new primary", seconds: 10) {
                let session = try? BlockingSession(both)
                return try session?.execute("SHOW unix_socket_directories").first?.text(0) == standby.directory
            }
        }
    }

    @Test("Only SQLSTATEs of a refused login or database make a connection failure final")
    func states() {
        for state in ["28P01", "28000", "3D000"] {
            guard
                case .unusable(.login) = ConnectionAttempt.failure("connection to server failed: FATAL:  \(state): no")
            else {
                Issue.record("\(state)")
                continue
            }
        }
        for message in [
            "FATAL:  57P03: the database system is starting up", "FATAL:  53300: sorry, too many clients already",
            "connection refused", "FATAL:  password authentication failed: 28P01",
            "could not translate host name \"28P01: x\" to address",
        ] {
            guard case .unavailable = ConnectionAttempt.failure(message) else {
                Issue.record("\(message)")
                continue
            }
        }
    }
}
