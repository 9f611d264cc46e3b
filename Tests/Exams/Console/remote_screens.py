"""The screens of devices that are online. A server without the realtime routes has none."""
from playwright.sync_api import expect

from browser import go, log_in, settled
from person import preset
from phone import Phone
from stage import screen


def online_account(world, page, is_silent):
    if not world.has_realtime:
        raise NotImplementedError("this server has no realtime routes")
    person = world.person()
    device = person.device("Camera")
    device.create(preset("Moss"))
    phone = Phone(device, is_silent)
    log_in(page, person)
    go(page, "#/account")
    settled(page, "Account")
    expect(page.get_by_role("group", name="Remote control")).to_be_visible(timeout=90_000)
    return phone


@screen("online")
def online(world, page):
    phone = online_account(world, page, False)
    yield
    phone.close()


@screen("remote")
def remote(world, page):
    phone = online_account(world, page, False)
    control = page.get_by_role("group", name="Remote control")
    control.get_by_role("button", name="Start recording").click()
    expect(control.get_by_role("status")).to_have_text("Done.")
    assert [command["command"] for command in phone.commands] == ["start_video_recording"], phone.commands
    yield
    phone.close()


@screen("remote-timeout")
def remote_timeout(world, page):
    phone = online_account(world, page, True)
    control = page.get_by_role("group", name="Remote control")
    control.get_by_role("button", name="Take a photo").click()
    expect(control.get_by_role("status")).to_contain_text("did not answer within 10 seconds", timeout=30_000)
    yield
    phone.close()
