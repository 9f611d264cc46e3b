-- Replaces one configuration of a random account; no two documents are equal, so none counts as a retry. The second argument is the number of
-- reads for each write, 0 unless given.
local accounts = {}
local sent = 0
local reads = 0
local stamp = math.random(1, 1000000000)

function init(arguments)
    reads = tonumber(arguments[2] or 0)
    for line in io.lines(arguments[1]) do
        local id, token = line:match("(%S+) (%S+)")
        accounts[#accounts + 1] = { id = id, token = token }
    end
    math.randomseed(os.time())
    stamp = math.random(1, 1000000000)
end

function request()
    sent = sent + 1
    local account = accounts[math.random(#accounts)]
    if math.random(0, reads) > 0 then
        return wrk.format("GET", "/v2/configurations/" .. account.id, { ["Authorization"] = "Bearer " .. account.token })
    end
    local body = '{"configuration":{"id":"' .. account.id .. '","name":"Benchmark","preset":"landscape",'
        .. '"video_format":"H.265","resolution":"4K UHD","frame_rate":30,"exposure_settings":{"mode":"manual",'
        .. '"iso":400,"shutter_speed":0.008},"focus_settings":{"mode":"manual","lens_position":0.7},'
        .. '"created_at":"2026-01-01T10:00:00Z","modified_at":"2099-01-01T10:00:00Z","run":' .. stamp
        .. ',"count":' .. sent .. '}}'
    return wrk.format("PUT", "/v2/configurations/" .. account.id, {
        ["Authorization"] = "Bearer " .. account.token, ["Content-Type"] = "application/json",
    }, body)
end

