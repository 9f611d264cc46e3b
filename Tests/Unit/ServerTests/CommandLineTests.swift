import CommandWords
import Testing

@testable import Operations
@testable import PrivateCluster
@testable import Settings
@testable import neuroviews_server

@Suite("The command line", .blocking)
struct CommandLineTests {
    private static let backupForm = "Write neuroviews-server backup FILE [--key-file KEY] [--recipient RECIPIENT]."
    private static let restoreForm =
        "Write neuroviews-server restore FILE (--key-file KEY | --unauthenticated) [--identity FILE] [--replace]."

    static let accepted: [(arguments: [String], invocation: Invocation)] = [
        (["--help"], .help(nil)), (["-h"], .help(nil)), (["help"], .help(nil)), (["help", "sign"], .help(.sign)),
        (["serve", "--help"], .help(.serve)), (["user", "add", "-h"], .help(.user)), (["--version"], .version),
        (["serve"], .serve(Settings())), (["migrate"], .migrate(Settings())),
        (["migrate", "up"], .migrate(Settings())), (["migrate", "--dry-run"], .migrateTrial(Settings())),
        (["migrate", "up", "--dry-run"], .migrateTrial(Settings())),
        (["migrate", "status"], .migrateStatus(Settings())),
        (["backup", "f"], .backup(BackupOptions(file: "f"), settings: Settings())),
        (["console"], .console(port: 0, isReadOnly: false, settings: Settings())),
        (["console", "--port=65535", "--read-only"], .console(port: 65535, isReadOnly: true, settings: Settings())),
        (
            ["backup", "f", "--key-file", "k", "--recipient", "age1x"],
            .backup(BackupOptions(file: "f", keyPath: "k", recipient: "age1x"), settings: Settings())
        ),
        (["restore", "f", "--unauthenticated"], .restore(RestoreOptions(file: "f"), settings: Settings())),
        (
            ["restore", "--replace", "f", "--key-file=k", "--identity=i"],
            .restore(RestoreOptions(file: "f", keyPath: "k", identity: "i", replaces: true), settings: Settings())
        ),
        (["admin", "reset-clients", "--all"], .resetClients(.all, settings: Settings())),
        (["admin", "reset-clients", "--account", "a@b"], .resetClients(.one(email: "a@b"), settings: Settings())),
        (["admin", "accept-clock"], .acceptClock(Settings())),
        (["doctor"], .doctor(.success(Settings()), isJSON: false)),
        (["doctor", "--json"], .doctor(.success(Settings()), isJSON: true)),
        (["user", "password", "a@b.org"], .user(.password("a@b.org"), settings: Settings())),
        (["user", "delete", "a@b.org"], .user(.delete("a@b.org"), settings: Settings())),
        (["user", "show", " a@exämple.org "], .user(.show("a@xn--exmple-cua.org"), settings: Settings())),
        (["user", "list"], .user(.list, settings: Settings())),
        (["user", "trail"], .user(.trail, settings: Settings())),
        (["user", "sessions", "a@b.org"], .user(.sessions("a@b.org"), settings: Settings())),
        (["user", "sessions", "--end", "a@b.org"], .user(.endSessions("a@b.org"), settings: Settings())),
        (["invite", "a@b.org"], .invite(email: "a@b.org", settings: Settings())),
        (["usage", "--json"], .usage(UsageOptions(form: .json), settings: Settings())),
        (["usage", "--crashes"], .usage(UsageOptions(areCrashes: true), settings: Settings())),
        (["secret", "rotate"], .secret(.rotate, settings: Settings())),
        (["secret", "compromised"], .secret(.compromised, settings: Settings())),
        (["user", "add", "a@b.org"], .userAdd(email: "a@b.org", settings: Settings())),
        (["user", "add", "a@Exämple.org "], .userAdd(email: "a@xn--exmple-cua.org", settings: Settings())),
        (
            ["sign", "GET", "http://h/v2/x?y", "--key-file", "k"],
            .sign(SignRequest(method: "GET", url: "http://h/v2/x?y", keyPath: "k", bodyPath: nil, version: 3))
        ),
        (
            ["sign", "--key-file=k", "--version", "1", "--body", "f", "PUT", "https://h/"],
            .sign(SignRequest(method: "PUT", url: "https://h/", keyPath: "k", bodyPath: "f", version: 1))
        ),
        (
            [
                "sign", "--key-file=k", "--body", "f", "--header", "if-match:*", "--header=Prefer:  a, b", "PUT",
                "https://h/",
            ],
            .sign(
                SignRequest(
                    method: "PUT",
                    url: "https://h/",
                    keyPath: "k",
                    bodyPath: "f",
                    version: 3,
                    covered: [
                        SignedHeader(name: "if-match", value: "*"), SignedHeader(name: "Prefer", value: "a, b"),
                        SignedHeader(name: "Content-Type", value: "application/json"),
                    ]
                )
            )
        ),
    ]

    @Test("Valid command lines give the expected command", arguments: accepted)
    func asks(arguments: [String], expected: Invocation) throws {
        #expect(try parse(arguments).get() == expected)
    }

    private static let commands =
        "serve, media, doctor, migrate, backup, restore, user, invite, admin, storage, usage, console, secret, "
        + "roles, sign"

    private static let adminForms =
        "Write neuroviews-server admin reset-clients --account EMAIL, or --all; or admin accept-clock."
    private static let userForms =
        "Write neuroviews-server user list, user trail, user events [--since TIME], user sessions EMAIL [--end], or "
        + "user (add | show | disable | enable | password | remove-app | delete) EMAIL."
    private static let password =
        "--database-url has a password, and everybody on this machine can read a command line: set "
    private static let environment = "NEUROVIEWS_DATABASE_URL in the environment or in a file (--settings FILE)"
    private static let passfile = ", or put the password into libpq's passfile."

    static let refused: [(arguments: [String], sentence: String)] = [
        ([], "A command is missing."),
        (["run"], "\"run\" is not a command: the commands are \(commands) and help."),
        (["help", "run"], "\"run\" is not a command: the commands are \(commands) and help."),
        (["--listen", "x"], "The command comes first: neuroviews-server serve --listen …"),
        (["serve", "now"], "serve takes no \"now\": settings are written --name value."),
        (["serve", "--listen"], "--listen needs a value: write --listen VALUE or --listen=VALUE."),
        (["serve", "--listen", "--data"], "--listen needs a value: write --listen VALUE or --listen=VALUE."),
        (["serve", "-l", "x"], "-l is not an option: options start with two hyphens."),
        (["serve", "--data=a", "--data=b"], "--data is given twice: keep one of the two."),
        (["serve", "--event-lops", "1"], "--event-lops is not a setting: did you mean --event-loops?"),
        (
            ["serve", "--signatures", "off"],
            "--signatures is \"off\": it must be required or optional or required-v3."
        ),
        (["migrate", "down"], "Write neuroviews-server migrate [up [--dry-run] | status]."),
        (["migrate", "status", "--dry-run"], "Write neuroviews-server migrate [up [--dry-run] | status]."),
        (["migrate", "--dry-run=yes"], "--dry-run takes no value: write --dry-run alone."),
        (["backup"], backupForm), (["backup", "-"], backupForm),
        (["restore", "a", "b", "--unauthenticated"], restoreForm),
        (["restore", "a"], restoreForm), (["restore", "a", "--key-file", "k", "--unauthenticated"], restoreForm),
        (["backup", "f", "--replace", "x"], "--replace is not a setting: neuroviews-server --help lists all of them."),
        (["admin"], adminForms), (["admin", "reset-clients"], adminForms),
        (["admin", "reset-clients", "--all", "--account", "a@b"], adminForms),
        (["admin", "accept-clock", "now"], adminForms), (["admin", "accept-clock", "--all"], adminForms),
        (["doctor", "now"], "doctor takes no \"now\": settings are written --name value."),
        (["user"], userForms),
        (["user", "remove", "a@b"], userForms),
        (["invite"], "Write neuroviews-server invite EMAIL."),
        (["invite", "a@b", "c@d"], "Write neuroviews-server invite EMAIL."),
        (["secret"], "Write neuroviews-server secret rotate, or secret compromised."),
        (["secret", "rotate", "now"], "Write neuroviews-server secret rotate, or secret compromised."),
        (["user", "add", "me"], "\"me\" is not an e-mail address: write name@example.org."),
        (
            ["sign", "GET", "/v2", "--key-file", "k"],
            "\"/v2\" is not an absolute URL: write it as the client sends it, with http:// or https://."
        ),
        (
            ["sign", "get", "http://h", "--key-file", "k"],
            "\"get\" is not a method: write GET, POST, PUT, PATCH or DELETE."
        ),
        (
            ["sign", "GET", "http://h"],
            "--key-file is missing: name a file with the signing_key that login answered."
        ),
        (
            ["sign", "GET", "http://h", "--key", "c2hvcnQ="],
            "--key is no longer taken, since everybody on this machine can read a command line: write the key into a file "
                + "and name it with --key-file."
        ),
        (["serve", "--database-url", "postgresql://u:hunter2@h/d"], password + environment + passfile),
        (["backup", "f", "--database-url=host=h password=hunter2"], password + environment + passfile),
        (["doctor", "--database-url", "postgresql://u@h/d?sslpassword=hunter2"], password + environment + passfile),
        (
            ["serve", "--s3-endpoint", "https://u:hunter2@s3.example.org"],
            "--s3-endpoint" + password.dropFirst("--database-url".count)
                + "NEUROVIEWS_S3_ENDPOINT in the environment or in a file (--settings FILE)."
        ),
        (
            ["sign", "GET", "http://h", "--key-file", "k", "--version", "2"],
            "--version is \"2\": it must be 1 or 3."
        ),
        (
            ["sign", "GET", "http://h", "--key-file", "k", "--version", "1", "--header", "Prefer: a"],
            "Version 1 signs no --header: leave --version out."
        ),
        (
            ["sign", "GET", "http://h", "--key-file", "k", "--header", "Prefer:"],
            "--header is \"Prefer:\": write it as 'NAME: VALUE'."
        ),
        (
            ["sign", "GET", "http://h", "--key-file", "k", "--header", "Accept: a"],
            "Accept is not signed: --header takes content-type, content-encoding, if-match, if-none-match, idempotency-key, prefer."
        ),
        (
            ["sign", "GET", "http://h", "--data", "x"],
            "sign has no --data: write neuroviews-server sign METHOD URL --key-file FILE [--body FILE] [--header FIELD]... [--version 1|3]."
        ),
    ]

    @Test("Invalid command lines are refused with status 64 and one sentence", arguments: refused)
    func refuses(arguments: [String], expected: String) {
        let result = parse(arguments)
        #expect(sentence(result) == expected)
        #expect(status(result) == 64)
    }

    @Test("doctor reports unreadable settings as a finding, and refuses a wrong argument of its own")
    func doctor() throws {
        guard case .doctor(.failure(let error), isJSON: false) = try parse(["doctor"], ["NEUROVIEWS_LISTEN": "x"]).get()
        else {
            Issue.record("no finding")
            return
        }
        #expect(error.sentence.hasPrefix("NEUROVIEWS_LISTEN is \"x\""))
        #expect(status(parse(["doctor", "--listen", "x"])) == 64)
    }

    @Test("A missing command is refused with the help")
    func showsHelp() {
        #expect(parse([]) == .failure(UsageError(sentence: "A command is missing.", status: .usage, showsHelp: true)))
    }

    @Test("The help names every command and setting, in lines of at most 120 characters")
    func help() {
        let text = CommandLineInterface.help(nil)
        for setting in SettingDefinition.all {
            #expect(text.contains("\(setting.flag), \(setting.environmentName)\n"))
            #expect(text.contains(setting.explanation))
        }
        for command in Command.allCases {
            #expect(text.contains("\n  \(command.rawValue)"))
            #expect(CommandLineInterface.help(command).hasPrefix("neuroviews-server \(command.rawValue)"))
        }
        #expect(!text.split(separator: "\n").contains { $0.count > 120 })
    }
}
