/// The definitions and grants of the server's schema.
package enum SchemaDump {
    /// The lines of pg_dump's output, without those that contain a random key.
    package static func lines(of connectionString: String) throws -> [String] {
        let dump = try Program.run(["pg_dump", "--schema-only", "--schema=neuroviews", connectionString])
        guard dump.status == 0 else { throw Program.Failure(dump.complaint) }
        return dump.output.split(separator: "\n").map(String.init).filter {
            !$0.hasPrefix("\\restrict ") && !$0.hasPrefix("\\unrestrict ")
        }
    }
}
