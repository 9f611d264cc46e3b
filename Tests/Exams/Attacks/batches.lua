-- Sends the bodies of files, one after the other. Neighbours replace the same configurations by other documents, so each batch writes.
dofile("Tests/Exams/Attacks/answers.lua")
local requests = {}
local sent = 0

function init(paths)
    for index, path in ipairs(paths) do
        local file = assert(io.open(path, "rb"))
        requests[index] = wrk.format("POST", "/v2/configurations/batch", nil, file:read("*a"))
        file:close()
    end
end

function request()
    sent = sent + 1
    return requests[sent % #requests + 1]
end
