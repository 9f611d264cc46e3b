-- Prints how an attack of wrk fared. The other scripts of this folder load it.
function done(summary, latency, requests)
    local broken = summary.errors.connect + summary.errors.read + summary.errors.write
    io.write(string.format("attack: %d answers, %d refused, %d broken, %.3f s\n", summary.requests, summary.errors.status, broken, summary.duration / 1e6))
end
