import Settings

extension CommandLineInterface {
    /// The help of one command; for nil the overview with every setting.
    static func help(_ command: Command?) -> String {
        switch command {
        case nil: overview + "\n" + settingsHelp
        case .serve: "neuroviews-server serve [--setting value …]\n\(serveText)\n\n" + settingsHelp
        case .media: "neuroviews-server media [--setting value …]\n\(mediaText)\n"
        case .doctor: "neuroviews-server doctor [--json] [--setting value …]\n\(doctorText)\n"
        case .migrate: "neuroviews-server migrate [up [--dry-run] | status] [--setting value …]\n\(migrateText)\n"
        case .backup:
            "neuroviews-server backup FILE [--key-file KEY] [--recipient RECIPIENT] [--setting value …]\n\(backupText)\n"
        case .restore:
            """
            neuroviews-server restore FILE (--key-file KEY | --unauthenticated) [--identity FILE] [--replace] [--setting value …]
            \(restoreText)

            """
        case .admin:
            "neuroviews-server admin reset-clients (--account EMAIL | --all) [--setting value …]\n\(adminText)\n"
        case .storage: "neuroviews-server storage check [--digests] [--repair] [--setting value …]\n\(storageText)\n"
        case .usage:
            "neuroviews-server usage [--from DATE] [--to DATE] [--json] [--setting value …]\n\(usageText)\n"
        case .user:
            """
            neuroviews-server user (list | trail | events [--since TIME]) [--setting value …]
            neuroviews-server user (add | show | disable | enable | password | remove-app | delete) EMAIL [--setting value …]
            neuroviews-server user sessions EMAIL [--end] [--setting value …]
            \(userText)

            """
        case .invite: "neuroviews-server invite EMAIL [--setting value …]\n\(inviteText)\n"
        case .secret: "neuroviews-server secret (rotate | compromised) [--setting value …]\n\(secretText)\n"
        case .roles: "neuroviews-server roles\n\(rolesText)\n"
        case .sign:
            "neuroviews-server sign METHOD URL --key-file FILE [--body FILE] [--header FIELD]... [--version 1|2|3]\n\(signText)\n"
        }
    }

    private static let overview = """
        neuroviews-server: keeps camera configurations in sync.

          serve           run the server; without a database URL it runs a PostgreSQL of its own
          media           verify and measure recordings' files beside a server that leaves that to others
          doctor          say what is missing or wrong on this machine, and how to mend it
          migrate         bring the database to this version's tables; migrate status says where it stands
          backup FILE     write database, secret and objects into one file, also while the server runs
          restore FILE    bring a backup back
          user add EMAIL  make an account; the password is read from standard input
          user            list, show, disable, enable and delete accounts, end their sessions, give another password
          invite EMAIL    have somebody open an account: prints an invitation, or mails it
          admin           reset-clients makes clients fetch everything again
          storage check   compare recordings with their files, both ways
          usage           how all accounts use the server: tables, JSON, or a page with charts
          secret rotate   make another master key; secret compromised when somebody else may have it
          roles           print the SQL that an administrator of PostgreSQL runs once
          sign            print the signature headers of a request
          help COMMAND    explain a command
          --version       print the version

        """

    private static let serveText = "Runs the server until SIGTERM or SIGINT."
    private static let mediaText = """
        Runs the jobs of recordings' files until SIGTERM or SIGINT: it verifies and measures them, makes thumbnails and
        previews, and deletes what is left of them. For a server with media_jobs=0 on the same database and the same data
        folder, so that the rights that ffmpeg's box needs are not the server's. Any number may run.
        It takes the settings of serve; the ones that matter are --database-url, --data, --secret-file, --media-jobs,
        --media-admin-listen (health, readiness and metrics), --previews and those of their limits, --settings.
        """
    private static let doctorText = """
        Checks what serve needs and changes nothing: give it the settings of serve. Each line is ok, a warning (it will
        serve, but not as it should) or wrong, with what to do. --json prints the findings as JSON. The status is 0 when
        the server can serve, and 1 when it can't.
        """
    private static let migrateText = """
        Brings the database to this version's tables, and exits; serve does it too.
        up --dry-run   applies what is missing in a transaction that is taken back, and lists what it was
        status         lists each file of SQL; the status is 1 when one is pending, and 69 when the database is not
                       one that this version can serve
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let backupText = """
        Writes the database, the secret and the objects into FILE, a tar that its owner alone can read, also while the
        server runs. FILE appears when it is complete; one that was there before is replaced then.
        --key-file KEY adds an HMAC-SHA-256 by which a restore knows that the backup is yours. KEY is a file of 32 bytes or
        more that you alone can read, and keep apart from the backups: openssl rand -hex -out KEY 32.
        --recipient RECIPIENT encrypts FILE with age, for whoever has the identity of that recipient (age-keygen).
        It takes the settings of serve; the ones that matter are --database-url, --data, --secret-file and --settings.
        """
    private static let restoreText = """
        Brings back what FILE holds, after checking that it is whole, and with --key-file that it was made with that key.
        --unauthenticated takes a file without that proof. Whoever wrote such a file decides which accounts there are,
        though no SQL or program of it is run. --identity FILE decrypts it with age. The server must be stopped. Where there are
        accounts already it refuses; with --replace the backup takes their place, and what was there is kept: the
        tables as the schema neuroviews_before_…, the secret and the objects as ….before-…. Clients notice and fetch
        everything again. It takes the settings of serve.
        """
    private static let adminText = """
        reset-clients ends the cursors of one account or of all: their clients get the full set at the next sync. To be
        used when rows were restored or changed by hand. The server may run meanwhile.
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let storageText = """
        check compares recordings with their files: files that are missing or of another size, and files that no recording
        has. The server may run meanwhile. The status is 0 when all is well, and 1 when something is not.
        --digests reads every file as well and compares its SHA-256. That takes as long as reading them all takes: hours for
        terabytes, and with S3 each byte is downloaded.
        --repair deletes files without a recording, has a server look again at recordings whose file is missing or another
        one, which then shows them as failed, forgets thumbnails that are gone, and has previews that are gone made again.
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let usageText = """
        Prints how all accounts together use the server, by days of UTC: the last 30, or those from --from to --to (at most
        366). Events are those of accounts that agreed to analytics; everything else comes from what accounts store.
        --json prints the figures as JSON. The server may run meanwhile.
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let userText = """
        list           every account: a line each, with tabs between the columns
        show EMAIL     one account, and what operators did to it last
        sessions EMAIL its sessions: id, device, address, start, last use; --end ends them all
        disable EMAIL  ends its sessions, and lets none start; what it has is kept
        enable EMAIL   lets sessions start again
        delete EMAIL   erases it, as its owner can; a restore does not bring it back
        add EMAIL      makes an account, also where registration is closed
        password EMAIL changes its password and ends its sessions
        trail          what operators did last: time, operator, action, account
        events         security events of all accounts, oldest first: time, account, event, count, session, device, address; --since
                       TIME leaves out what was before
        The password is the first line of standard input. The trail keeps every action on an account.
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let inviteText = """
        Makes an invitation for one address, good for 7 days and once; an earlier one is good no more. It is mailed where
        --sendmail is set, and printed elsewhere. Who registers with it has an account at once, where registration is open
        or by invitation. The server may run meanwhile.
        It takes the settings of serve; the ones that matter are --database-url, --data, --sendmail, --mail-from,
        --account-url and --settings.
        """
    private static let secretText = """
        rotate has new sessions use a new master key. Older sessions keep theirs to their end; the old key stays in the
        secret file as long as one needs it. Servers may run, and read the file again. Where one can't, it is named, the new
        key waits, and the same command later goes on.
        compromised is for a key that somebody else may have: it ends every session and upload URL at once.
        It takes the settings of serve; the ones that matter are --database-url, --data, --secret-file and --settings.
        """
    private static let rolesText = """
        Prints SQL for a superuser of a PostgreSQL of your own, to be run once in the server's database:
          neuroviews-server roles | psql --set ON_ERROR_STOP=1 DATABASE
        It makes the logins neuroviews_app, neuroviews_background and neuroviews_owner, and takes from everybody functions
        with which one statement could undo their limits. Run again it changes nothing. Without a database URL, serve does it.
        """
    private static let signText = """
        Prints the headers that sign one request, and those that the signature covers, ready for curl -H @FILE. The key's
        FILE has the signing_key of the login's answer, in Base64 as it is there; /dev/stdin will do.
        Version 3, the default, signs the body, read from its FILE, and each --header 'NAME: VALUE' of Content-Type,
        Content-Encoding, If-Match, If-None-Match, Idempotency-Key and Prefer. A body is application/json unless a header
        says otherwise. The request must have these fields as they are printed, and no other field of these names.
        Version 1 signs neither.
        """

    private static let settingsHelp: String = {
        let intro = """
            Settings are flags, environment variables or lines of a file (--settings FILE or NEUROVIEWS_SETTINGS; lines
            NAME = value, # for comments). A flag wins over the environment, the environment over the file.


            """
        return intro + SettingDefinition.all.map(paragraph).joined()
    }()

    private static func paragraph(_ setting: SettingDefinition) -> String {
        """
          \(setting.flag), \(setting.environmentName)
              \(setting.explanation)
              \(setting.allowed)
              default: \(setting.defaultText)

        """
    }
}
