import Glibc
import Machine
import Settings

/// Checks who may make an account, the list of common passwords, and the program that sends mail.
struct RegistrationCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings() -> [Finding] { registration + [passwords, mail] }

    private var registration: [Finding] {
        guard settings.registration == .open, !settings.listen.isLocal else { return [] }
        return [
            .warning(
                "registration",
                "anybody who reaches \(settings.listen) may make an account",
                "set NEUROVIEWS_REGISTRATION=invitation, and invite people with neuroviews-server invite"
            )
        ]
    }

    private var passwords: Finding {
        let list = CommonPasswords.load(settings.constants.commonPasswords)
        guard let problem = list.problem else {
            return .ok("common passwords", "\(list.count) in \(settings.constants.commonPasswords)")
        }
        return .warning(
            "common passwords",
            "anybody may set one: \(problem)",
            "run apt-get install python3-zxcvbn"
        )
    }

    private var mail: Finding {
        guard case .program(let program) = settings.sendmail else {
            return .warning(
                "mail",
                "none is sent: the log has the links",
                "set NEUROVIEWS_SENDMAIL before others use the server"
            )
        }
        guard let sender = settings.mailFrom else {
            return .ok("mail", "none is sent: nobody can reset a password, and addresses are not confirmed")
        }
        guard access(program, X_OK) == 0 else {
            return .wrong(
                "mail",
                "\(FileError("run", program))",
                "install a mail system that has it, such as msmtp-mta, or name its program with NEUROVIEWS_SENDMAIL"
            )
        }
        return .ok("mail", "\(program) sends it, from \(sender.text)")
    }
}
