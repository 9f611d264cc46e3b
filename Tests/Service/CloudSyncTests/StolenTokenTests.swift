import CloudSync
import TestSupport
import Testing

/// Two clients with one session, one of them a thief, and honest clients that look alike.
struct StolenTokenTests {
    private static let ended = "session-ended"
    private static let own = "5e0c3a52-2c52-4b8e-9d0c-0d6f3a1b7c44"
    private static let thiefs = "77777777-2c52-4b8e-9d0c-0d6f3a1b7c44"
    private static let away = "203.0.113.9"

    @Test(
        "A thief's refresh is found by the owner's first request after 5 minutes, and the session ends",
        arguments: [0, 1, 3]
    )
    func refreshed(version: Int) async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            for attempt in [nil, Self.thiefs] {
                for isUsed in [false, true] {
                    let owner = try await world.newAccount()[0].signed(by: version)
                    let thief = try await scene.refresh(owner, attempt, from: Self.away)
                    if isUsed { #expect(try await scene.pull(thief) == "good") }
                    #expect(try await scene.pull(owner) == "good")
                    try await scene.age(owner, madeS: 301, usedS: isUsed ? 301 : nil)
                    #expect(try await scene.pull(owner) == "token-outdated")
                    #expect(try await scene.verdict(owner.signed(by: version), Self.own) == Self.ended)
                    for caller in [owner, thief] { #expect(try await scene.pull(caller) == Self.ended) }
                    #expect(try await scene.verdict(thief, attempt) == Self.ended)
                    #expect(try await scene.events(owner) == ["token-reused \(RefreshScene.home)"])
                }
            }
        }
    }

    @Test("A thief with the former token gets the newest only with an event, or ends the session")
    func former() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let rows: [(ageS: Int, attempt: String?, verdict: String)] = [
                (58, Self.thiefs, "2"), (62, Self.thiefs, Self.ended), (298, nil, "2"), (302, nil, Self.ended),
            ]
            for (ageS, attempt, verdict) in rows {
                let thief = try await world.newAccount()[0]
                let owner = try await scene.refresh(thief, Self.own)
                try await scene.age(owner, madeS: ageS)
                #expect(try await scene.verdict(thief, attempt, from: Self.away) == verdict)
                let kind = verdict == Self.ended ? "token-reused" : "token-elsewhere"
                #expect(try await scene.events(owner) == ["\(kind) \(Self.away)"])
            }
        }
    }

    @Test("An unsigned refresh ends no session that has signed by version 3")
    func unsigned() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let second = try await scene.refresh(first.signed(by: 3), Self.own)
            let senders: [(Caller, String?)] = [(first, nil), (first, Self.own), (second, Self.own)]
            for version in [0, 1] {
                for (caller, attempt) in senders {
                    try await scene.age(second, madeS: 600)
                    let verdict = try await scene.verdict(caller.signed(by: version), attempt)
                    #expect(verdict == "signature-version-low")
                }
            }
            #expect(try await scene.pull(second) == "good")
            #expect(try await scene.events(first).isEmpty)
        }
    }

    @Test("A signed refresh that is sent again ends no session, and one that ended the session is one event")
    func replayed() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let second = try await scene.refresh(first.signing("once"))
            try await scene.age(second, madeS: 600)
            #expect(try await scene.verdict(first.signing("once")) == "nonce-used")
            #expect(try await scene.pull(second) == "good")
            for _ in 0..<2 { #expect(try await scene.verdict(first.signing("late")) == Self.ended) }
            #expect(try await scene.events(first) == ["token-reused \(RefreshScene.home)"])
            let nonces = try await world.sql("SELECT nonce FROM nonces ORDER BY nonce")
            #expect((0..<nonces.count).map { nonces[$0].text(0) } == ["late", "once"])
        }
    }

    @Test("After a restore a newer token is outdated and ends nothing, and the attempts of the backup still count")
    func restored() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let second = try await scene.refresh(first, Self.own)
            try await world.sql("CREATE TABLE public.backup AS TABLE sessions")
            let lost = try await scene.refresh(second, Self.thiefs)
            try await world.sql(
                "DELETE FROM sessions; INSERT INTO sessions SELECT * FROM public.backup; DROP TABLE public.backup"
            )
            try await scene.age(first, madeS: 86400)
            for attempt in [nil, Self.own, Self.thiefs] {
                #expect(try await scene.verdict(lost, attempt) == "token-outdated")
            }
            #expect(try await scene.pull(lost) == "token-outdated")
            #expect(try await scene.verdict(first, Self.own) == "2")
            #expect(try await scene.verdict(second, Self.thiefs) == "3")
            #expect(try await scene.events(first).isEmpty)
        }
    }

    /// Sessions that refresh three times. Requests and answers are lost. With attempts, a client may be away for a week
    /// in that state, on another network, with a second process that reads the same store. Without, it sends again
    /// within the minute.
    private static func honestSessions(_ hasAttempts: Bool) -> String {
        """
        DO $$
        DECLARE
            s sessions%ROWTYPE;
            stored integer;
            answer integer;
            attempt uuid;
            network inet := '192.0.2.1';
        BEGIN
            PERFORM setseed(0.25);
            FOR s IN SELECT * FROM sessions LOOP
                stored := 1;
                FOR turn IN 1..3 LOOP
                    attempt := CASE WHEN \(hasAttempts) THEN gen_random_uuid() END;
                    FOR try IN 1..12 LOOP
                        IF \(hasAttempts) THEN
                            network := '192.0.2.0'::inet + floor(random() * 200)::int;
                        END IF;
                        IF random() < 0.8 THEN
                            answer := rotate_token(s.user_id, s.id, stored, attempt, network, network);
                            IF random() < 0.2 THEN
                                answer := rotate_token(s.user_id, s.id, stored, attempt, network, network);
                            END IF;
                            IF answer IS DISTINCT FROM stored + 1 THEN RAISE EXCEPTION 'session % got %', s.id, answer; END IF;
                            EXIT WHEN random() < 0.5 OR try = 12;
                        END IF;
                        UPDATE sessions SET token_made_at = token_made_at - CASE WHEN NOT \(hasAttempts) THEN interval '4 seconds'
                            ELSE (ARRAY['1 second', '2 minutes', '1 hour', '8 days'])[1 + floor(random() * 4)::int]::interval END
                        WHERE user_id = s.user_id AND id = s.id;
                    END LOOP;
                    stored := (SELECT counter FROM sessions WHERE user_id = s.user_id AND id = s.id);
                END LOOP;
            END LOOP;
        END
        $$
        """
    }

    @Test(
        "Lost answers end no honest session and cause no event",
        arguments: [(true, 1000), (false, 200)]
    )
    func honest(hasAttempts: Bool, count: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount(devices: count)[0]
            try await world.sql(Self.honestSessions(hasAttempts))
            #expect(try await world.sql("SELECT FROM sessions WHERE ended_at IS NOT NULL").count == 0)
            let rotated = "SELECT avg(counter)::int FROM sessions"
            #expect(try await world.sql(rotated).first?.int(0) == 4)
            #expect(try await RefreshScene(world).events(caller).isEmpty)
            #expect(try await world.sql("SELECT FROM account_events").count == 0)
        }
    }
}
