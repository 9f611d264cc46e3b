/// The version of the server and of the command `neuroviews`, which are released together.
package enum ServerVersion {
    package static let current = "0.1.0"
}
