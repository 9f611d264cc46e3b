extension MigrationRun {
    /// Applies all functions again. Returns what no file defines any more and was dropped.
    func applyFunctions() throws(MigrationError) -> [String] {
        try patientStep("of functions") { () throws(MigrationError) in try replaceFunctions() }
    }

    private func replaceFunctions() throws(MigrationError) -> [String] {
        try session.run("SET LOCAL check_function_bodies = off")
        let before = try objects()
        // Twice, because one may use another of a later file: first without a look at the bodies, then with it.
        for file in migrator.functions { try define(file) }
        try refuseOverloads()
        let dropped = try drop(objects().filter { before[$0.key] == $0.value }.map(\.key))
        try session.run(
            """
            REVOKE ALL ON ALL ROUTINES IN SCHEMA neuroviews FROM PUBLIC, neuroviews_app, neuroviews_background;
            SET LOCAL check_function_bodies = on
            """
        )
        for file in migrator.functions { try run(file) }
        try note()
        return dropped
    }

    private func run(_ file: SchemaFile) throws(MigrationError) {
        do throws(MigrationError) {
            try session.run(file.sql)
        } catch .database(.refused(let refusal)) {
            throw .failed(name: file.name, refusal)
        }
    }

    /// Without a look at bodies, an invalid definition is one that contradicts the function that is there, and an ambiguous name is
    /// one of two functions.
    private func define(_ file: SchemaFile) throws(MigrationError) {
        do throws(MigrationError) {
            try run(file)
        } catch .failed(let name, let refusal) where ["42P13", "42725"].contains(refusal.state) {
            throw .redefined(reason: "\(name): \(refusal.message)")
        }
    }

    /// The schema's functions, and the triggers that run them, as DROP names them, each with the transaction that wrote it.
    private func objects() throws(MigrationError) -> [String: String] {
        let rows = try session.run(
            """
            SELECT 'routine ' || oid::regprocedure, xmin FROM pg_proc WHERE pronamespace = 'neuroviews'::regnamespace
            UNION ALL
            SELECT format('trigger %I on %s', t.tgname, t.tgrelid::regclass), t.xmin
            FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE p.pronamespace = 'neuroviews'::regnamespace AND t.tgparentid = 0
            """
        )
        return Dictionary(
            uniqueKeysWithValues: (0..<rows.count).map { (rows[$0].text(0) ?? "", rows[$0].text(1) ?? "") }
        )
    }

    /// Also a function that was there with other arguments makes two: servers of the release before may use it.
    private func refuseOverloads() throws(MigrationError) {
        let rows = try session.run(
            """
            SELECT proname FROM pg_proc WHERE pronamespace = 'neuroviews'::regnamespace
            GROUP BY proname HAVING count(*) > 1 ORDER BY proname
            """
        )
        if let name = rows.first?.text(0) { throw .redefined(reason: "there are two functions \(name)") }
    }

    /// Triggers before the functions that they run, and these at once, since one may need another. Returns what was dropped.
    private func drop(_ objects: [String]) throws(MigrationError) -> [String] {
        let routine = "routine "
        let triggers = objects.filter { !$0.hasPrefix(routine) }.sorted()
        for trigger in triggers { try session.run("DROP \(trigger)") }
        let routines = objects.filter { $0.hasPrefix(routine) }.sorted()
        if !routines.isEmpty {
            try session.run("DROP ROUTINE " + routines.map { $0.dropFirst(routine.count) }.joined(separator: ", "))
        }
        return triggers + routines
    }

    private func note() throws(MigrationError) {
        try session.run("DELETE FROM schema_functions")
        for file in migrator.functions {
            try session.run(
                "INSERT INTO schema_functions (name, checksum, release) VALUES ($1, $2, $3)",
                [file.name, checksum(of: file), migrator.release]
            )
        }
    }
}
