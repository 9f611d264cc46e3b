import CNeuroViewsOpenSSL

extension TLSCertificate {
    /// The name of the certificate's issuer if clients can't find it: it is neither in the chain nor among the roots
    /// that this machine trusts. Nil otherwise, and for a certificate that signs itself.
    public var missingIssuer: String? {
        let issuer = X509_get_issuer_name(leaf)
        let hasIssuer = ([leaf] + chain).contains { X509_NAME_cmp(X509_get_subject_name($0), issuer) == 0 }
        return hasIssuer || isFromTrustedRoot ? nil : Self.name(issuer)
    }

    private var isFromTrustedRoot: Bool {
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new() else { return false }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            ERR_clear_error()
        }
        var issuer: OpaquePointer?
        guard X509_STORE_set_default_paths(store) == 1, X509_STORE_CTX_init(context, store, leaf, nil) == 1,
            X509_STORE_CTX_get1_issuer(&issuer, context, leaf) == 1
        else { return false }
        X509_free(issuer)
        return true
    }
}
