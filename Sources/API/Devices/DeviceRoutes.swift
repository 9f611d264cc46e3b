import CloudSync
import HTTP
import NeuroViewsJSON

/// `/devices`: the devices of an account.
struct DeviceRoutes: Sendable {
    let devices: DeviceService
    let schemas: Schemas

    var routes: [RouteEntry] {
        [
            (.get, "/v2/devices", Endpoint(.session, list)),
            (
                .put, "/v2/devices/{id}",
                Endpoint(EndpointPolicy(.session, body: .collected(.usual), pathID: .device), put)
            ),
            (
                .patch, "/v2/devices/{id}",
                Endpoint(
                    EndpointPolicy(.session, body: .collected(.usual), media: .mergePatch, pathID: .device),
                    patch
                )
            ),
            (.delete, "/v2/devices/{id}", Endpoint(.session, delete)),
        ]
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let all = try await devices.list(for: context.caller())
        return .json(.ok, reservingBytes: 64 + all.count * 256) { writer in
            writer.list("devices", all) { device, writer in Self.write(device, to: &writer) }
        }
    }

    private func put(_ context: RequestContext) async throws -> Response {
        let id = try context.deviceIDInPath()
        let body = try await context.json(schemas["device.json"])
        let description = DeviceDescription(
            name: body["name"]?.string,
            model: body["model"]?.string,
            appVersion: body["app_version"]?.string
        )
        let (device, isNew) = try await devices.put(id, description, for: context.caller())
        return .json(isNew ? .created : .ok) { Self.write(device, to: &$0) }
    }

    private func patch(_ context: RequestContext) async throws -> Response {
        let id = try context.deviceIDInPath()
        let body = try await context.json(schemas["device-patch.json"], as: .mergePatch)
        let patch = DevicePatch(
            name: Self.change(body["name"]),
            model: Self.change(body["model"]),
            appVersion: Self.change(body["app_version"])
        )
        let device = try await devices.patch(id, patch, for: context.caller())
        return .json(.ok) { Self.write(device, to: &$0) }
    }

    /// The schema allows only a string and null, which removes.
    private static func change(_ value: JSONValue?) -> DevicePatch.Change {
        value.map { DevicePatch.Change.set($0.string) } ?? .unchanged
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        try await devices.delete(context.deviceIDInPath(), for: context.caller())
        return Response(.noContent)
    }

    private static func write(_ device: RegisteredDevice, to writer: inout JSONWriter) {
        writer.member("id", string: device.id)
        writer.member("name", optional: device.description.name)
        writer.member("model", optional: device.description.model)
        writer.member("app_version", optional: device.description.appVersion)
        writer.member("first_seen_at", string: device.firstSeenAt)
        writer.member("last_seen_at", string: device.lastSeenAt)
        writer.member("current", bool: device.isCurrent)
    }
}
