-- Replaces so many configurations of a random account in one request; no two documents are equal, so none counts as a retry.
local accounts = {}
local sent = 0
local stamp
local size

function init(arguments)
    size = tonumber(arguments[2])
    for line in io.lines(arguments[1]) do
        local token, list = line:match("(%S+) (%S+)")
        local ids = {}
        for id in list:gmatch("[^,]+") do ids[#ids + 1] = id end
        accounts[#accounts + 1] = { token = token, ids = ids }
    end
    math.randomseed(os.time())
    stamp = math.random(1, 1000000000)
end

function request()
    sent = sent + 1
    local account = accounts[math.random(#accounts)]
    local operations = {}
    for index = 1, size do
        operations[index] = '{"operation":"replace","configuration":{"id":"' .. account.ids[index]
            .. '","name":"Benchmark","preset":"landscape","video_format":"H.265","resolution":"4K UHD","frame_rate":30,'
            .. '"exposure_settings":{"mode":"manual","iso":400,"shutter_speed":0.008},'
            .. '"focus_settings":{"mode":"manual","lens_position":0.7},"created_at":"2026-01-01T10:00:00Z",'
            .. '"modified_at":"2099-01-01T10:00:00Z","run":' .. stamp .. ',"count":' .. sent .. '}}'
    end
    return wrk.format("POST", "/v2/configurations/batch", {
        ["Authorization"] = "Bearer " .. account.token, ["Content-Type"] = "application/json",
    }, '{"operations":[' .. table.concat(operations, ",") .. ']}')
end
