"""Logging in by a passkey of Chromium's virtual authenticator, which has the key that the API registered."""
from browser import fill_login, settled
from house import features
from ports import reserved_port

OPTIONS = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
# Makes a passkey on the page's own origin, as an app with the same one does.
MAKE = """async options => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return (await navigator.credentials.create({ publicKey })).toJSON();
}"""


def checks(_):
    yield "A passkey logs in, alone and as the second factor", passkey


def passkey(world):
    house = passkey_house(world)
    person = world.person(house=house)
    device = person.device()
    page = world.browser.window()
    address = house.page.replace("127.0.0.1", "localhost")
    page.goto(address)
    settled(page, "Log in")
    wire = page.context.new_cdp_session(page)
    wire.send("WebAuthn.enable")
    wire.send("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})
    made = page.evaluate(MAKE, device.must("POST", "/account/passkeys/options"))
    device.must("POST", "/account/passkeys", {"name": "Virtual", "credential": made})
    page.get_by_role("button", name="Use a passkey").click()
    settled(page, "Presets")
    page.get_by_role("button", name="Log out").click()
    settled(page, "Log in")
    device.add_app()
    fill_login(page, person.email, person.password)
    settled(page, "Second step")
    page.get_by_role("button", name="Use a passkey").click()
    settled(page, "Presets")


def passkey_house(world):
    """A server whose passkeys are of localhost: an address is no name for them."""
    port = reserved_port()
    house = world.build("passkeys", port=port, passkey_rp_id="localhost", passkey_origins=f"http://localhost:{port}")
    assert features(house)["passkeys"], "the server takes no passkeys"
    return house
