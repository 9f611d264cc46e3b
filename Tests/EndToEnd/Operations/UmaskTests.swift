import Foundation
import TestSupport
import Testing

@Suite(
    "A first start under a closed umask",
    .enabled(if: geteuid() == 0, "needs root"),
    .enabled(if: StartFailureTests.canHideFolders, "mount namespaces are not allowed here"),
    .inFull,
    .blocking
)
struct UmaskTests {
    /// In a namespace of its own, so that no folder is made in this machine's /var/lib. `$0` is the server, `$1` the folder.
    private static let script = """
        mount -t tmpfs none /var/lib
        umask $2
        "$0" migrate --data "$1/open/data"
        test -d "$1/open/data/postgres"
        (umask 077; mkdir "$1/closed")
        "$0" migrate --data "$1/closed/data"
        test "$(stat -c %a "$1/closed")" = 700
        # As an earlier start has left it.
        chmod 700 /var/lib/neuroviews
        home=$(grep -v '^#' "$1/closed/data/postgres.location")
        chmod 700 "$home"
        rm -r "$home/postgres"
        umask 022
        "$0" migrate --data "$1/closed/data"
        """

    @Test(
        "Root's first start works under any umask, and mends what a failed one has left",
        arguments: TestRun.cases(1, of: ["077", "027"])
    )
    func firstStart(umask: String) throws {
        let command = ["unshare", "-m", "/bin/sh", "-exc", Self.script, Program.server, Sandbox.makeFolder(), umask]
        let program = try Program.run(command, seconds: 180)
        #expect(program.status == 0, "\(program.complaint)")
    }
}
