extension CommandLineInterface {
    /// The help of one command, or the overview with every setting.
    static func help(_ command: Command?) -> String {
        switch command {
        case nil: overview + "\n" + settingsHelp
        case .serve: "neuroviews-server serve [--setting value …]\n\(serveText)\n\n" + settingsHelp
        case .migrate: "neuroviews-server migrate [--setting value …]\n\(migrateText)\n"
        case .user: "neuroviews-server user add EMAIL [--setting value …]\n\(userText)\n"
        case .sign: "neuroviews-server sign METHOD URL --key BASE64 [--body FILE] [--version 1|2]\n\(signText)\n"
        }
    }

    private static let overview = """
        neuroviews-server: keeps camera configurations in sync.

          serve           run the server; without a database URL it runs a PostgreSQL of its own
          migrate         bring the database to this version's tables, and exit
          user add EMAIL  make an account; the password is read from standard input
          sign            print the signature headers of a request
          help COMMAND    explain a command
          --version       print the version

        """

    private static let serveText = "Runs the server until SIGTERM or SIGINT."
    private static let migrateText = """
        Brings the database to this version's tables, and exits. It takes the settings of serve; the ones that
        matter are --database-url, --data and --settings.
        """
    private static let userText = """
        Makes an account, also where registration is closed. The password is the first line of standard input.
        It takes the settings of serve; the ones that matter are --database-url, --data and --settings.
        """
    private static let signText = """
        Prints the headers that sign one request, ready for curl. KEY is the signing_key of the login's answer.
        The body is read from FILE and signed by version 2 alone; version 1 is the default.
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
