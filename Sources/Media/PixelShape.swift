/// The shape of a video's pixels (its sample aspect ratio). A player shows square pixels: it enlarges the side that is
/// too short. Browsers ignore the shape that a photo states.
enum PixelShape {
    /// Other ratios are nonsense, and count as square.
    private static let plausible = 0.1...10.0

    /// The ratio as an expression of ffmpeg's filters.
    private static let ratio = "if(between(sar,\(plausible.lowerBound),\(plausible.upperBound)),sar,1)"

    /// The sides of a shown picture, as expressions of ffmpeg's filters.
    static func sides(_ format: MediaFormat) -> (width: String, height: String) {
        format.isMoving ? ("(iw*max(1,\(ratio)))", "(ih/min(1,\(ratio)))") : ("iw", "ih")
    }

    /// The size of a shown picture whose pixels have this ratio, such as "4:3".
    static func shown(_ size: (width: Int, height: Int), ratio: String?) -> (width: Int, height: Int) {
        let parts = (ratio ?? "").split(separator: ":").compactMap { Double($0) }
        guard parts.count == 2, plausible.contains(parts[0] / parts[1]) else { return size }
        let ratio = parts[0] / parts[1]
        let width = Int((Double(size.width) * max(1, ratio)).rounded())
        let height = Int((Double(size.height) / min(1, ratio)).rounded())
        return Probe.isPlausible(width: width, height: height) ? (width, height) : size
    }
}
