/// How a video with a high dynamic range writes brightness. Phones film so by default.
public enum HDRTransfer: String, Sendable, CaseIterable {
    /// Perceptual quantizer (SMPTE ST 2084): HDR10, most of Dolby Vision.
    case pq = "smpte2084"
    /// Hybrid log-gamma (ARIB STD-B67): what iPhones film.
    case hlg = "arib-std-b67"

    /// The filters of ffmpeg that make BT.709 of it, as SDR screens show it: without them pictures look grey. Large pictures should be
    /// made smaller before, since these work on floating-point numbers. White of the graphics is at 203 nits (ITU-R BT.2408). Who writes these
    /// transfers writes BT.2020; some files don't say so.
    var toneMapping: String {
        "format=yuv444p10le,setparams=color_primaries=bt2020:color_trc=\(rawValue):colorspace=bt2020nc"
            + ",zscale=t=linear:npl=203:p=bt709:m=gbr,format=gbrpf32le,tonemap=mobius:desat=0"
            + ",zscale=t=bt709:m=bt709:r=tv"
    }
}

extension MediaBox {
    /// Runs `make` with the filters that `hdr` needs. Where ffmpeg can't do that (it may be built without zscale), a picture in grey is
    /// better than none.
    static func toneMapped<Value>(
        _ hdr: HDRTransfer?,
        _ make: (_ filters: String?) async throws -> MediaOutcome<Value>
    ) async throws -> MediaOutcome<Value> {
        let outcome = try await make(hdr?.toneMapping)
        guard hdr != nil, case .unreadable = outcome.failure else { return outcome }
        return try await make(nil)
    }
}
