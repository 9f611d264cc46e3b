import Storage

extension SettingDefinition {
    /// Settings of a bucket for recording files. `SettingSources` checks that the required ones are set together.
    static let s3: [SettingDefinition] = [
        .text(
            "s3_endpoint",
            \.s3Endpoint,
            allowed: "a URL without a path, such as https://s3.example.org",
            defaultText: "none: recordings' files are in <data>/objects",
            accept: S3Endpoint.init,
            "the S3 service for recordings' files, as this server reaches it"
        ),
        .text(
            "s3_public_endpoint",
            \.s3PublicEndpoint,
            allowed: "a URL without a path, such as https://s3.example.org",
            defaultText: "s3_endpoint",
            accept: S3Endpoint.init,
            "the same service as clients reach it: upload and download URLs lead there"
        ),
        .text(
            "s3_region",
            \.s3Region,
            allowed: "a region's name",
            defaultText: Settings().s3Region,
            accept: word,
            "the region that signatures name; services without regions take their own"
        ),
        .text(
            "s3_bucket",
            \.s3Bucket,
            allowed: "a bucket's name",
            defaultText: "none",
            accept: bucket,
            "the bucket, for this database alone; it must exist"
        ),
        .text(
            "s3_access_key",
            \.s3AccessKey,
            allowed: "an access key's name",
            defaultText: "none",
            accept: word,
            "the key pair's name; it needs to read, write, delete and list the bucket"
        ),
        .text(
            "s3_secret_file",
            \.s3SecretFile,
            allowed: "a file",
            defaultText: "none",
            accept: path,
            "a file with the key pair's secret, readable by the server alone"
        ),
        .text(
            "s3_ca_file",
            \.s3CAFile,
            allowed: "a PEM file",
            defaultText: "the system's",
            accept: path,
            "the authorities that certify the service"
        ),
    ]

    /// A name that is valid in URLs and signatures.
    private static func word(_ text: String) -> String? {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") } ? text : nil
    }

    private static func bucket(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isName && (3...63).contains(text.utf8.count) ? text : nil
    }
}
