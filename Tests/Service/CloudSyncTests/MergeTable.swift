/// The expected merges of a base and two edits. A row: name | base | mine | theirs | the later edit | result |
/// conflicts with their winners. `-` as the later edit means equal times.
enum MergeTable {
    static let text = #"""
        nobody changed anything | {"a":1,"b":{"c":2}} | {"a":1,"b":{"c":2}} | {"a":1,"b":{"c":2}} | mine | {"a":1,"b":{"c":2}} |
        only I changed a number | {"a":1,"b":2} | {"a":3,"b":2} | {"a":1,"b":2} | theirs | {"a":3,"b":2} |
        only they changed a number | {"a":1,"b":2} | {"a":1,"b":2} | {"a":3,"b":2} | mine | {"a":3,"b":2} |
        each changed another member | {"a":1,"b":2} | {"a":3,"b":2} | {"a":1,"b":4} | mine | {"a":3,"b":4} |
        both made the same change | {"a":1} | {"a":2} | {"a":2} | mine | {"a":2} |
        the same change in two spellings keeps the later one's | {"a":1} | {"a":2.0} | {"a":2} | mine | {"a":2.0} |
        the same change in two spellings at the same time | {"a":1} | {"a":2.0} | {"a":2} | - | {"a":2} |
        both changed a number, mine is later | {"a":1} | {"a":2} | {"a":3} | mine | {"a":2} | /a mine
        both changed a number, theirs is later | {"a":1} | {"a":2} | {"a":3} | theirs | {"a":3} | /a theirs
        both changed it at the same time: the greater text | {"a":1} | {"a":2} | {"a":3} | - | {"a":3} | /a theirs
        the same with the sides swapped | {"a":1} | {"a":3} | {"a":2} | - | {"a":3} | /a mine
        at the same time a value stands before a removal | {"a":1,"b":0} | {"b":0} | {"a":2,"b":0} | - | {"a":2,"b":0} | /a theirs
        I removed, they did not touch it | {"a":1,"b":2} | {"b":2} | {"a":1,"b":3} | mine | {"b":3} |
        they removed, I did not touch it | {"a":1,"b":2} | {"a":1,"b":3} | {"b":2} | mine | {"b":3} |
        both removed | {"a":1,"b":2} | {"b":2} | {"b":2} | mine | {"b":2} |
        both removed, and each changed something else | {"a":1,"b":2,"c":3} | {"b":4,"c":3} | {"b":2,"c":5} | mine | {"b":4,"c":5} |
        I removed what they changed, mine is later | {"a":1,"b":2} | {"b":2} | {"a":3,"b":2} | mine | {"b":2} | /a mine
        I removed what they changed, theirs is later | {"a":1,"b":2} | {"b":2} | {"a":3,"b":2} | theirs | {"a":3,"b":2} | /a theirs
        they removed what I changed, mine is later | {"a":1,"b":2} | {"a":3,"b":2} | {"b":2} | mine | {"a":3,"b":2} | /a mine
        I added a member | {"a":1} | {"a":1,"b":2} | {"a":3} | theirs | {"a":3,"b":2} |
        both added different members | {"a":1} | {"a":1,"c":2} | {"a":1,"b":3} | mine | {"a":1,"b":3,"c":2} |
        both added the same member with the same value | {"a":1} | {"a":1,"b":{"x":[1.0]}} | {"a":1,"b":{"x":[1]}} | theirs | {"a":1,"b":{"x":[1]}} |
        both added the same member with other values | {"a":1} | {"a":1,"b":2} | {"a":1,"b":3} | mine | {"a":1,"b":2} | /b mine
        both added an object with other members | {} | {"e":{"iso":100}} | {"e":{"mode":"auto"}} | mine | {"e":{"iso":100,"mode":"auto"}} |
        both added an object that differs in one member | {} | {"e":{"iso":100,"m":1}} | {"e":{"iso":200,"m":1}} | theirs | {"e":{"iso":200,"m":1}} | /e/iso theirs
        one added an empty object, the other a full one | {} | {"e":{}} | {"e":{"iso":1}} | mine | {"e":{"iso":1}} |
        exposure: mode by me, iso by them | {"exposure_settings":{"mode":"auto","iso":100}} | {"exposure_settings":{"mode":"manual","iso":100}} | {"exposure_settings":{"mode":"auto","iso":400}} | mine | {"exposure_settings":{"mode":"manual","iso":400}} |
        exposure: both the iso, the rest merges | {"exposure_settings":{"mode":"auto","iso":100}} | {"exposure_settings":{"mode":"manual","iso":200}} | {"exposure_settings":{"mode":"auto","iso":400}} | theirs | {"exposure_settings":{"mode":"manual","iso":400}} | /exposure_settings/iso theirs
        a member inside removed, another one changed | {"e":{"a":1,"b":2}} | {"e":{"b":2}} | {"e":{"a":1,"b":3}} | mine | {"e":{"b":3}} |
        a member inside removed and changed | {"e":{"a":1,"b":2}} | {"e":{"b":2}} | {"e":{"a":9,"b":2}} | theirs | {"e":{"a":9,"b":2}} | /e/a theirs
        I removed the object, they did not touch it | {"e":{"a":1},"b":2} | {"b":2} | {"e":{"a":1},"b":3} | theirs | {"b":3} |
        I removed the object, they changed a member of it | {"e":{"a":1,"b":2}} | {} | {"e":{"a":1,"b":3}} | mine | {} | /e mine
        I removed the object, they changed it later | {"e":{"a":1,"b":2}} | {} | {"e":{"a":1,"b":3}} | theirs | {"e":{"a":1,"b":3}} | /e theirs
        I emptied the object, they changed a member of it | {"e":{"a":1,"b":2}} | {"e":{}} | {"e":{"a":1,"b":3}} | mine | {"e":{}} | /e/b mine
        five levels down | {"a":{"b":{"c":{"d":{"x":1,"y":1}}}}} | {"a":{"b":{"c":{"d":{"x":2,"y":1}}}}} | {"a":{"b":{"c":{"d":{"x":1,"y":2}}}}} | mine | {"a":{"b":{"c":{"d":{"x":2,"y":2}}}}} |
        an array is changed as a whole by one | {"l":[1,2],"a":1} | {"l":[1,2,3],"a":1} | {"l":[1,2],"a":2} | theirs | {"l":[1,2,3],"a":2} |
        an array is changed by both: never mixed | {"l":[1,2]} | {"l":[1,2,3]} | {"l":[0,1,2]} | mine | {"l":[1,2,3]} | /l mine
        objects inside an array are no objects to merge | {"l":[{"a":1,"b":1}]} | {"l":[{"a":2,"b":1}]} | {"l":[{"a":1,"b":2}]} | theirs | {"l":[{"a":1,"b":2}]} | /l theirs
        another order in an array is a change | {"l":[1,2],"a":1} | {"l":[2,1],"a":1} | {"l":[1,2],"a":2} | mine | {"l":[2,1],"a":2} |
        another order of members is none | {"a":1,"b":2,"c":3} | {"c":3,"a":1,"b":2} | {"a":1,"b":9,"c":3} | mine | {"a":1,"b":9,"c":3} |
        a number becomes a string, alone | {"a":1,"b":1} | {"a":"1","b":1} | {"a":1,"b":2} | mine | {"a":"1","b":2} |
        a number becomes a string, and another number | {"a":1} | {"a":"1"} | {"a":2} | mine | {"a":"1"} | /a mine
        an object becomes a number while a member of it changes | {"e":{"a":1}} | {"e":5} | {"e":{"a":2}} | theirs | {"e":{"a":2}} | /e theirs
        an object becomes an array while a member is added | {"e":{"a":1}} | {"e":[]} | {"e":{"a":1,"b":2}} | mine | {"e":[]} | /e mine
        a number becomes an object on both sides | {"e":1} | {"e":{"a":1}} | {"e":{"b":2}} | mine | {"e":{"a":1,"b":2}} |
        true and 1 are not the same | {"a":0} | {"a":true} | {"a":1} | mine | {"a":true} | /a mine
        null is a value, not an absence | {"a":1,"b":1} | {"a":null,"b":1} | {"a":1,"b":2} | mine | {"a":null,"b":2} |
        null against removed | {"a":1} | {"a":null} | {} | theirs | {} | /a theirs
        1.0 is 1: not a change | {"a":1,"b":1} | {"a":1.0,"b":2} | {"a":1,"b":1} | mine | {"a":1.0,"b":2} |
        1.0 is 1: what nobody changed keeps the base's text | {"a":10e-1,"b":1,"c":1} | {"a":1.0,"b":2,"c":1} | {"a":1,"b":1,"c":2} | mine | {"a":10e-1,"b":2,"c":2} |
        integers beyond 2^53 stay apart | {"a":9007199254740992} | {"a":9007199254740993} | {"a":9007199254740994} | mine | {"a":9007199254740993} | /a mine
        -0 is 0 | {"a":0,"b":1} | {"a":-0,"b":2} | {"a":3,"b":1} | mine | {"a":3,"b":2} |
        a large and a tiny number are compared, not computed | {"a":1,"b":0} | {"a":1e300,"b":0} | {"a":1e-999999,"b":0} | mine | {"a":1e300,"b":0} | /a mine
        unknown members merge like the others | {"x_lut":{"r":1,"g":1}} | {"x_lut":{"r":2,"g":1}} | {"x_lut":{"r":1,"g":3},"x_new":[]} | mine | {"x_lut":{"r":2,"g":3},"x_new":[]} |
        names that need escapes in a pointer | {"a/b":{"~":1}} | {"a/b":{"~":2}} | {"a/b":{"~":3}} | mine | {"a/b":{"~":2}} | /a~1b/~0 mine
        an empty name is a name | {"":1} | {"":2} | {"":3} | theirs | {"":3} | / theirs
        several conflicts, in the result's order | {"b":1,"a":1} | {"b":2,"a":2,"c":1} | {"b":3,"a":3,"c":2} | theirs | {"b":3,"a":3,"c":2} | /b theirs, /a theirs, /c theirs
        modified_at is the later one, also when mine wins | {"a":1,"modified_at":"2026-03-01T12:00:00Z"} | {"a":2,"modified_at":"2026-03-01T12:30:00Z"} | {"a":3,"modified_at":"2026-03-01T13:00:00Z"} | mine | {"a":2,"modified_at":"2026-03-01T13:00:00Z"} | /a mine
        modified_at is compared as a time, not as text | {"a":1,"b":1,"modified_at":"2026-03-01T12:00:00Z"} | {"a":2,"b":1,"modified_at":"2026-03-01T14:00:00+02:00"} | {"a":1,"b":2,"modified_at":"2026-03-01T12:00:01Z"} | mine | {"a":2,"b":2,"modified_at":"2026-03-01T12:00:01Z"} |
        created_at: a change on one side is taken | {"a":1,"created_at":"2026-03-01T12:00:00Z"} | {"a":1,"created_at":"2026-03-02T12:00:00Z"} | {"a":2,"created_at":"2026-03-01T12:00:00Z"} | theirs | {"a":2,"created_at":"2026-03-02T12:00:00Z"} |
        created_at: of two changes the earlier time | {"created_at":"2026-03-01T12:00:00Z"} | {"created_at":"2026-03-03T12:00:00Z"} | {"created_at":"2026-03-02T12:00:00Z"} | mine | {"created_at":"2026-03-02T12:00:00Z"} |
        created_at is not merged away | {"a":1,"created_at":"2026-03-01T12:00:00Z"} | {"a":2} | {"a":1,"b":1,"created_at":"2026-03-01T12:00:00Z"} | mine | {"a":2,"created_at":"2026-03-01T12:00:00Z","b":1} |
        id is the base's, however the sides spell it | {"id":"AB","a":1,"b":1} | {"id":"ab","a":2,"b":1} | {"id":"AB","a":1,"b":2} | mine | {"id":"AB","a":2,"b":2} |
        """#
}
