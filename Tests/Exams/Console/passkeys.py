"""Logging in by a passkey of Chromium's virtual authenticator, which has the key that the API registered."""
from playwright.sync_api import expect

from browser import dialog, fill_login, log_in, settled
from house import features
from ports import reserved_port

OPTIONS = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
# Makes a passkey on the page's own origin, as an app with the same one does.
MAKE = """async options => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return (await navigator.credentials.create({ publicKey })).toJSON();
}"""


def checks(_):
    yield "A passkey logs in, alone and as the second factor, and never takes what another account's session has to send", passkey


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
    kept_from(device, world.person("ben", house), page, address)
    device.add_app()
    fill_login(page, person.email, person.password)
    settled(page, "Second step")
    page.get_by_role("button", name="Use a passkey").click()
    settled(page, "Presets")


def kept_from(device, person, page, address):
    """The browser's passkey is of the device's account; the session that has ended was another person's."""
    tablet = person.device()
    log_in(page, person, address)
    page.get_by_role("link", name="New preset").click()
    settled(page, "New preset")
    page.get_by_label("Name", exact=True).fill("Comet")
    tablet.end_others()
    # The page may have noticed it first: then the dialog is above the button.
    page.get_by_role("button", name="Create preset").dispatch_event("click")
    again = dialog(page, "Your session has ended")
    again.get_by_role("button", name="Use a passkey").click()
    expect(again.get_by_text("Another account", exact=True)).to_be_visible()
    assert len(device.sessions()) == 1, "the refused log in has left its session"
    again.get_by_label("Password", exact=True).fill(person.password)
    again.get_by_role("button", name="Log in", exact=True).click()
    settled(page, "Comet")
    assert not device.documents() and len(tablet.documents()) == 1
    page.get_by_role("button", name="Log out").click()
    settled(page, "Log in")


def passkey_house(world):
    """A server whose passkeys are of localhost: an address is no name for them."""
    port = reserved_port()
    house = world.build("passkeys", port=port, passkey_rp_id="localhost", passkey_origins=f"http://localhost:{port}")
    assert features(house)["passkeys"], "the server takes no passkeys"
    return house
