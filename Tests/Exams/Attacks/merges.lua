-- Merges an edit of an older version into one configuration after the other. The first argument is a document with the marks ID and COUNT, the
-- second a list: an id and the tags of its two newest versions a line.
dofile("Tests/Exams/Attacks/answers.lua")
local before, between, after
local ids, older, newer = {}, {}, {}
local sent = 0

function init(paths)
    local file = assert(io.open(paths[1], "rb"))
    before, between, after = file:read("*a"):match("^(.-)@ID@(.-)@COUNT@(.*)$")
    file:close()
    for line in io.lines(paths[2]) do
        local id, first, second = line:match("(%S+) (%S+) (%S+)")
        ids[#ids + 1] = id
        older[id], newer[id] = first, second
    end
end

function request()
    sent = sent + 1
    local id = ids[sent % #ids + 1]
    wrk.headers["If-Match"] = older[id]
    return wrk.format("PUT", "/v2/configurations/" .. id, nil, before .. id .. between .. sent .. after)
end

function response(status, headers, body)
    local id = body:match('"id":"([%x-]+)"')
    if status == 200 and id and newer[id] then
        older[id], newer[id] = newer[id], headers["ETag"] or newer[id]
    end
end
