/// The OpenAPI document and its schemas, embedded in the binary. The validator uses the same schemas.
package enum OpenAPIDocument {
    /// The OpenAPI 3.1 document. It refers to the schemas by relative URLs.
    package static let text = EmbeddedFiles.`openapi.json`

    /// Every schema of the folder by file name.
    package static let schemas = Dictionary(
        uniqueKeysWithValues: EmbeddedFiles.all.compactMap { path, bytes in
            path.hasPrefix("schemas/") ? (String(path.dropFirst("schemas/".count)), bytes) : nil
        }
    )
}
