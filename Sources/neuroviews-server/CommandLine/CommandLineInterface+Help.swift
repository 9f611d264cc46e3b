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
            """
            neuroviews-server admin reset-clients (--account EMAIL | --all) [--setting value …]
            neuroviews-server admin accept-clock [--setting value …]
            \(adminText)

            """
        case .storage: "neuroviews-server storage check [--digests] [--repair] [--setting value …]\n\(storageText)\n"
        case .usage:
            """
            neuroviews-server usage [--crashes] [--from DATE] [--to DATE] [--json] [--setting value …]
            \(usageText)

            """
        case .user:
            """
            neuroviews-server user (list | trail | events [--since TIME]) [--setting value …]
            neuroviews-server user (add | show | disable | enable | password | remove-app | delete) EMAIL [--setting value …]
            neuroviews-server user sessions EMAIL [--end] [--setting value …]
            \(userText)

            """
        case .invite: "neuroviews-server invite EMAIL [--setting value …]\n\(inviteText)\n"
        case .console: "neuroviews-server console [--port PORT] [--read-only] [--setting value …]\n\(consoleText)\n"
        case .secret: "neuroviews-server secret (rotate | compromised) [--setting value …]\n\(secretText)\n"
        case .roles: "neuroviews-server roles\n\(rolesText)\n"
        case .sign:
            "neuroviews-server sign METHOD URL --key-file FILE [--body FILE] [--header FIELD]... [--version 1|3]\n\(signText)\n"
        }
    }

    private static let overview = """
        neuroviews-server: syncs camera configurations and recordings.

          serve           run the server; without a database URL it runs its own PostgreSQL
          media           process the recordings of a server that has media_jobs=0
          doctor          find problems of this machine, and print how to solve them
          migrate         update the tables of the database; "migrate status" lists what is missing
          backup FILE     write database, secret and recordings into one file; the server may run
          restore FILE    restore a backup
          user add EMAIL  create an account; the password is read from standard input
          user            list, show, disable, enable and delete accounts, end their sessions, change their passwords
          invite EMAIL    invite a person to open an account: print an invitation, or mail it
          admin           make clients fetch everything again; accept a clock that has jumped
          storage check   compare recordings with their files, in both directions
          usage           print how all accounts use the server, as tables or JSON
          console         open a web page for operators on this machine
          secret rotate   create a new master key; "secret compromised" if somebody else may have the old one
          roles           print the SQL that an administrator of PostgreSQL runs once
          sign            print the headers that sign a request
          help COMMAND    explain a command
          --version       print the version

        """

    private static let serveText = "Runs the server until SIGTERM or SIGINT."
    private static let mediaText = """
        Processes recordings until SIGTERM or SIGINT: verifies and measures files, makes thumbnails and previews, and
        deletes files that no recording needs any more. Start it beside a server that has media_jobs=0, on the same
        database and the same data folder. Then the server itself does not need the rights that ffmpeg's sandbox needs.
        Any number of these processes may run.
        It takes the settings of serve, and uses --database-url, --data, --secret-file, --media-jobs, --admin-listen
        (health, readiness and metrics; another address than that of a server beside it), --previews,
        --unsandboxed-media, --settings.
        """
    private static let doctorText = """
        Checks everything that serve needs, and changes nothing. Give it the settings of serve. Each line is ok, a
        warning (the server works, but not well) or wrong, and has the remedy. --json prints the findings as JSON. The
        status is 0 if the server can run, and 1 if it can't.
        """
    private static let migrateText = """
        Updates the database to the tables of this version, and exits. serve does the same when it starts.
        up --dry-run   runs the update in a transaction, rolls it back, and lists the changes
        status         lists each SQL file. The status is 1 if one is pending, and 69 if this version can't serve the
                       database.
        It takes the settings of serve, and uses --database-url, --data and --settings.
        """
    private static let backupText = """
        Writes the database, the secret and the recordings' files into FILE, a tar that only its owner can read. The
        server may run. FILE appears when it is complete, and replaces an older one. No other account may be able to
        change the folders above it.
        --key-file KEY adds an HMAC-SHA-256. It proves to a restore that the backup is yours. KEY is a file of at least
        32 bytes that only you can read. Create it by "openssl rand -hex -out KEY 32", and keep it apart from the
        backups.
        --recipient RECIPIENT encrypts FILE with age. Only the identity of this recipient (age-keygen) decrypts it.
        It takes the settings of serve, and uses --database-url, --data, --secret-file and --settings.
        """
    private static let restoreText = """
        Restores the backup in FILE. The server must be stopped. First it checks that the file is complete, and with
        --key-file that it was made with this key.
        --unauthenticated accepts a file without this proof. Its author then decides which accounts exist, but no SQL
        and no program of the file is run.
        --identity FILE decrypts the backup with age.
        --replace is needed if the server has accounts already. The backup replaces them. The old tables are kept in the
        schema neuroviews_before_…, the old secret and the old files under names that end with .before-…
        After a restore, devices that made or saw a lost change, and clients with last_sync, get a full set. The others
        continue. It takes the settings of serve.
        """
    private static let adminText = """
        reset-clients ends the cursors of one account or of all accounts: their clients get the full set at the next
        sync. Use it after you have restored or changed rows by hand. The server may run.
        accept-clock trusts the clock of the database, which has jumped ahead: servers delete by age again. Check that the
        clock is right before you use it: what is too old by that clock is deleted for good. Run it on the server's machine.
        It takes the settings of serve, and uses --database-url, --data and --settings.
        """
    private static let storageText = """
        check compares recordings with their files. It finds files that are missing or have another size, and files
        without a recording. The server may run. The status is 0 if there are no differences, and 1 otherwise.
        --digests also reads every file and compares its SHA-256. That takes hours for terabytes, and with S3 it
        downloads every byte.
        --repair deletes files without a recording. A server then verifies recordings again whose file is missing or
        different: they show as failed. Missing thumbnails and previews are made again, and files without measurements
        are measured again.
        It takes the settings of serve, and uses --database-url, --data and --settings.
        """
    private static let usageText = """
        Prints how all accounts together use the server, by days of UTC: the last 30 days, or the days from --from to
        --to (at most 366). Events are counted only for accounts that agreed to their category. All other figures come
        from stored data. --json prints the figures as JSON. The server may run.
        --crashes lists the crash reports of these days instead, the newest first: day, name and parameters. They name
        no account. A report is kept for 90 days, and there are at most 10,000.
        It takes the settings of serve, and uses --database-url, --data and --settings.
        """
    private static let consoleText = """
        Serves a web page for operators at 127.0.0.1, and prints its address: how the server is, what the doctor finds,
        accounts and what operators did to them, usage. It shows no document and no recording. Ctrl-C ends it, and so
        does half an hour without a request. The server may run, or not.
        The address has a code that works once, within 5 minutes. Five wrong codes end the process.
        --port PORT listens on that port; 0, the default, lets the kernel choose. From another machine, use
        "ssh -L PORT:127.0.0.1:PORT" with the same number twice.
        --read-only changes no account.
        It takes the settings of serve, and uses --database-url, --data, --secret-file, --admin-listen and --settings.
        """
    private static let userText = """
        list              prints all accounts: one line each, with tabs between the columns
        show EMAIL        prints an account, and the last actions of operators on it
        sessions EMAIL    prints its sessions: id, device, address, start, last use; --end ends all of them
        disable EMAIL     ends its sessions and allows no new ones; its data are kept
        enable EMAIL      allows sessions again
        delete EMAIL      erases the account, as its owner can; a restore does not bring it back
        add EMAIL         creates an account, also if registration is closed
        password EMAIL    changes its password and ends its sessions
        remove-app EMAIL  removes its authenticator app and recovery codes
        trail             prints the last actions of operators: time, operator, action, account
        events            prints the security events of all accounts, oldest first: time, account, event, count,
                          session, device, address; --since TIME leaves out earlier ones
        The password is the first line of standard input. The trail keeps every action on an account.
        It takes the settings of serve, and uses --database-url, --data and --settings.
        """
    private static let inviteText = """
        Creates an invitation for one address. It works once, within 7 days. An earlier invitation of the address
        becomes invalid. It is mailed if --mail-from is set, and printed otherwise. Whoever registers with it has an
        account at once, if registration is open or by invitation. The server may run.
        It takes the settings of serve, and uses --database-url, --data, --sendmail, --mail-from, --account-url,
        --registration and --settings.
        """
    private static let secretText = """
        rotate creates a new master key for new sessions. Older sessions keep their key until they end, and the secret
        file keeps it as long. Servers may run: they read the file again. If a server can't read the new key, rotate
        prints its name and the new key is not used yet. Run the command again when that is solved.
        compromised is for a key that somebody else may have: it ends every session and upload URL at once.
        It takes the settings of serve, and uses --database-url, --data, --secret-file and --settings.
        """
    private static let rolesText = """
        Prints SQL for your own PostgreSQL. A superuser runs it once in the server's database:
          neuroviews-server roles | psql --set ON_ERROR_STOP=1 DATABASE
        It creates the logins neuroviews_app, neuroviews_background and neuroviews_owner. It also revokes functions from
        PUBLIC with which a statement could evade the limits of these logins. It may be run again. A server without a
        database URL does all this itself.
        """
    private static let signText = """
        Prints the headers that sign one request, for curl -H @FILE. They include the headers that the signature covers.
        --key-file FILE has the signing_key of the login's answer, in Base64 as it was received. /dev/stdin works, too.
        --body FILE is the body of the request. Its type is application/json, unless a --header gives another
        Content-Type.
        --header 'NAME: VALUE' is a header that the signature covers: Content-Type, Content-Encoding, If-Match,
        If-None-Match, Idempotency-Key or Prefer. Repeat it for each. The request must have exactly these, as printed.
        --version 3, the default, signs the body and these headers. --version 1 signs neither.
        """

    private static let settingsHelp: String = {
        let intro = """
            Settings are flags, environment variables or lines of a file (--settings FILE or NEUROVIEWS_SETTINGS; lines
            NAME = value, or # and a comment). A flag wins over the environment, the environment over the file.


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
