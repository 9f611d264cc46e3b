"""Network addresses of clients. A site is an IPv4 address or an IPv6 network of 48 bits."""
import ipaddress


def some(rng):
    if rng.random() < 0.5:
        return f"198.{rng.randint(18, 19)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"
    return inside(rng, f"2001:db8:{rng.randrange(1 << 16):x}::")


def inside(rng, address):
    """An address of the same site."""
    if ":" not in address:
        return address
    network = ipaddress.ip_network(f"{address}/48", strict=False)
    return str(network[rng.randrange(1, 1 << 80)])


def outside(rng, address):
    """An address of another site."""
    while True:
        found = some(rng)
        if site(found) != site(address):
            return found


def site(address):
    return ipaddress.ip_network(f"{address}/{48 if ':' in address else 32}", strict=False)
