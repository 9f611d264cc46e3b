/// The description of the interface and the schemas that it and the validator share, embedded in the binary.
public enum OpenAPIDocument {
    /// The OpenAPI 3.1 document, which refers to the schemas by relative URLs.
    public static let text = PackageResources.openapi_json
    /// The specification's configuration schema.
    public static let cameraConfigurationSchema = PackageResources.camera_configuration_json
    /// The body of a batch of writes; the documents in it have the schema above.
    public static let configurationBatchSchema = PackageResources.configuration_batch_json
    /// The body of a registration.
    public static let registrationSchema = PackageResources.registration_json
    /// The body of a login.
    public static let loginSchema = PackageResources.login_json
    /// Which version to restore.
    public static let restoreSchema = PackageResources.restore_json
    /// What a device tells about itself.
    public static let deviceSchema = PackageResources.device_json

    /// The schemas by file name.
    public static let schemas = [
        "camera-configuration.json": cameraConfigurationSchema,
        "configuration-batch.json": configurationBatchSchema,
        "registration.json": registrationSchema,
        "login.json": loginSchema,
        "restore.json": restoreSchema,
        "device.json": deviceSchema,
    ]
}
