/// The brightness encoding (transfer function) of a video with high dynamic range. Phones use one by default.
package enum HDRTransfer: String, Sendable, CaseIterable {
    /// Perceptual quantizer (SMPTE ST 2084): HDR10, most of Dolby Vision.
    case pq = "smpte2084"
    /// Hybrid log-gamma (ARIB STD-B67): iPhone recordings.
    case hlg = "arib-std-b67"

    /// ffmpeg filters that convert to BT.709 for SDR screens. Without them pictures look grey. Scale large pictures
    /// down first: the filters use floating-point numbers. Graphics white is at 203 nits (ITU-R BT.2408). Files with
    /// these transfers have BT.2020 colours, even if some files don't declare it.
    var toneMapping: String {
        "format=yuv444p10le,setparams=color_primaries=bt2020:color_trc=\(rawValue):colorspace=bt2020nc"
            + ",zscale=t=linear:npl=203:p=bt709:m=gbr,format=gbrpf32le,tonemap=mobius:desat=0"
            + ",zscale=t=bt709:m=bt709:r=tv"
    }
}

extension MediaBox {
    /// Runs `make` with the filters for `hdr`. If ffmpeg can't use them (it may lack zscale), runs it without: a grey
    /// picture is better than none.
    static func toneMapped<Value>(
        _ hdr: HDRTransfer?,
        _ make: (_ filters: String?) async throws -> MediaOutcome<Value>
    ) async throws -> MediaOutcome<Value> {
        let outcome = try await make(hdr?.toneMapping)
        guard hdr != nil, case .unreadable = outcome.failure else { return outcome }
        return try await make(nil)
    }
}
