/// The version of this server.
package enum ServerVersion {
    package static let current = "0.1.0"
}
