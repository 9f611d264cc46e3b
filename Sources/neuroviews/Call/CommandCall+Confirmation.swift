import NeuroViewsClient

extension CommandCall {
    /// Runs a call that the server may want to be confirmed: then asks for the password, and runs it again.
    func confirmed(_ device: NeuroViews, _ body: () async throws(ClientError) -> Void) async throws(Failure) {
        do throws(ClientError) {
            return try await body()
        } catch {
            guard error == .confirmationRequired else { throw Failure(error) }
        }
        var secrets = try secrets()
        let password = try secrets.next("Password:", "the password")
        try await asking { () async throws(ClientError) in
            try await device.confirm(password: password)
            try await body()
        }
    }
}
