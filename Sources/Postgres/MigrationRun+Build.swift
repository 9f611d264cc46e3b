extension Migrator {
    /// Makes the tables as they were after the migration `number`, without functions and triggers, for rows of that time. In the
    /// transaction that `session` has begun, and with the owner's role from then on; there must be no such tables yet.
    public func build(upTo number: Int, _ session: BlockingSession) throws(MigrationError) {
        try MigrationRun(migrator: self, session: session, isTrial: true).build(upTo: number)
    }

    /// Defines the functions of one file, which `run` will define again with all others.
    public func define(_ name: String, _ session: BlockingSession) throws(MigrationError) {
        try session.run("SET LOCAL check_function_bodies = off")
        for file in functions where file.name == name { try session.run(file.sql) }
    }
}

extension MigrationRun {
    fileprivate func build(upTo number: Int) throws(MigrationError) {
        try prepare()
        for file in migrator.numbered where (file.number ?? 0) <= number { try apply(file) }
    }
}
