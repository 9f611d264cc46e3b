import NeuroViewsCrypto

/// How an operator's command finds the accounts at their limit of failed logins: the names of their counters are digests
/// with a key of the server. Only logins from unknown devices and addresses are refused then.
package struct LoginLocks: Sendable {
    /// One for each master key, since a rotation is under way for a while; in hexadecimal, with commas between them.
    private let secrets: String
    private let failuresMax: Int

    /// Without keys no account is seen as locked. `failuresMax` is `AttemptLimits.Maxima.login`.
    package init(keys: [MasterKey] = [], failuresMax: Int = 0) {
        secrets = keys.map { Hex.encode($0.attemptKey) }.joined(separator: ",")
        self.failuresMax = failuresMax
    }

    /// The last parameters of a statement with `lockedUntil`.
    var parameters: [String] { [secrets, String(failuresMax)] }

    /// The end of the lock of account `u`, NULL without one: when the oldest of the failures that fill the limit counts no
    /// more. The two parameters begin with this number.
    static func lockedUntil(_ first: Int) -> String {
        """
        (
            SELECT rfc3339(max(full_limit.ends_at)) FROM unnest(string_to_array($\(first)::text, ',')) secret CROSS JOIN LATERAL (
                SELECT a.ends_at FROM attempts a
                WHERE a.key = attempt_key(decode(secret, 'hex'), 'account', lower(u.email COLLATE "C")) AND a.ends_at > now()
                ORDER BY a.ends_at DESC OFFSET greatest($\(first + 1)::int, 1) - 1 LIMIT 1
            ) full_limit WHERE $\(first + 1)::int > 0
        )
        """
    }
}
