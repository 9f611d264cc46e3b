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
        let list = CommonPasswords.load(settings.commonPasswords)
        guard let problem = list.problem else {
            return .ok("common passwords", "\(list.count) in \(settings.commonPasswords)")
        }
        return .warning(
            "common passwords",
            "anybody may set one: \(problem)",
            "run apt-get install python3-zxcvbn, or name a list with NEUROVIEWS_COMMON_PASSWORDS"
        )
    }

    private var mail: Finding {
        guard let program = settings.sendmail, let sender = settings.mailFrom else {
            return .ok("mail", "none is sent: nobody can reset a password, and addresses are not confirmed")
        }
        guard access(program, X_OK) == 0 else {
            return .wrong(
                "mail",
                "\(FileError("run", program))",
                "install the program, or name it with NEUROVIEWS_SENDMAIL"
            )
        }
        return .ok("mail", "\(program) sends it, from \(sender.text)")
    }
}
