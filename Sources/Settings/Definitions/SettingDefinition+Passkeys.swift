extension SettingDefinition {
    /// The identity of this server for passkeys.
    static let passkeys: [SettingDefinition] = [
        .text(
            "passkey_rp_id",
            \.passkeyRPID,
            allowed: "a domain name, such as example.org",
            defaultText: "the host of public_url; none where that is an IP address",
            accept: PasskeyUsers.domain,
            "the domain that passkeys belong to; with another one, those that were made are of no use"
        ),
        .text(
            "passkey_origins",
            \.passkeyUsers,
            allowed: "origins with commas between them; apps are android:apk-key-hash:HASH and ios:TEAM.BUNDLE",
            defaultText: "https:// and the domain, and the origin of public_url within it",
            accept: PasskeyUsers.init,
            "the sites and apps that use passkeys; beside apps alone the default sites stay"
        ),
    ]
}
