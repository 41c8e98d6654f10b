"""Verifies a receipt of Countersign without Countersign: python3 verify_receipt.py RECEIPT KEYS

Needs the package `cryptography` (46 or newer, for the salt of any length). The steps are those of docs/receipts.md.
"""

import base64
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256

VERSION_ONE = {"actionPayload", "actionType", "confirmationId", "expiresAt", "userId"}
REGISTERED = {"actionTypeVersion", "display"}
SEVERAL = {"approvalId", "count", "requestedBy"}
DOMAINS = {
    frozenset(VERSION_ONE): "countersign.confirmation.v1",
    frozenset(VERSION_ONE | REGISTERED): "countersign.confirmation.v2",
    frozenset(VERSION_ONE | SEVERAL): "countersign.approval.v1",
    frozenset(VERSION_ONE | REGISTERED | SEVERAL): "countersign.approval.v1",
}


class Refused(Exception):
    """Ends the check. The argument is the failed step."""


def demand(condition, step):
    if not condition:
        raise Refused(step)


def base64url(text):
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    assert base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text
    return data


def once(pairs):
    """Builds an object of JSON, and refuses a member that appears twice."""
    members = dict(pairs)
    assert len(members) == len(pairs)
    return members


def parse(text):
    return json.loads(text, object_pairs_hook=once)


def integer(text):
    return int.from_bytes(base64url(text), "big")


def thumbprint(jwk):
    """RFC 7638."""
    names = {"EC": ["crv", "kty", "x", "y"], "OKP": ["crv", "kty", "x"], "RSA": ["e", "kty", "n"]}[jwk["kty"]]
    text = json.dumps({name: jwk[name] for name in names}, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def is_signed(jwk, alg, signature, message):
    try:
        if alg == "Ed25519":
            ed25519.Ed25519PublicKey.from_public_bytes(base64url(jwk["x"])).verify(signature, message)
        elif alg == "ES256":
            key = ec.EllipticCurvePublicNumbers(integer(jwk["x"]), integer(jwk["y"]), ec.SECP256R1()).public_key()
            r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
            key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(SHA256()))
            return len(signature) == 64
        else:
            key = rsa.RSAPublicNumbers(integer(jwk["e"]), integer(jwk["n"])).public_key()
            pss = padding.PSS(padding.MGF1(SHA256()), padding.PSS.AUTO)
            key.verify(signature, message, {"PS256": pss, "RS256": padding.PKCS1v15()}[alg], SHA256())
        return True
    except (InvalidSignature, ValueError, KeyError):
        return False


def commits(challenge, domain, nonce, text):
    data = domain.encode() + b"\0" + base64.b64decode(nonce, validate=True) + text.encode()
    return base64.b64encode(hashlib.sha512(data).digest()).decode() == challenge


def is_signed_by_device(device, signature, challenge):
    signed = challenge.encode() if signature["over"] == "text" else base64.b64decode(challenge)
    return is_signed(device["jwk"], signature["alg"], base64url(signature["value"]), signed)


def split(receipt):
    """Step `format`: returns the header, the payload, the signature and the disclosures."""
    try:
        jws, *disclosures, end = receipt.split("~")
        protected, body, signature = jws.split(".")
        header, payload = parse(base64url(protected)), parse(base64url(body))
        opened = [(text, *parse(base64url(text))[1:]) for text in disclosures]
        assert end == "" and set(header) == {"alg", "kid", "typ"} and header["typ"] == "countersign-receipt+sd-jwt"
        return header, payload, f"{protected}.{body}".encode(), base64url(signature), opened
    except (ValueError, AssertionError) as error:
        raise Refused("format") from error


def verify(receipt, keys):
    header, payload, signed, signature, opened = split(receipt)

    key = next((one for one in keys["keys"] if one["kid"] == header["kid"]), None)
    demand(key is not None and key["alg"] == header["alg"] and thumbprint(key) == key["kid"], "key")
    demand(is_signed(key, header["alg"], signature, signed), "issuer")
    demand(payload["_sd_alg"] == "sha-256" and payload["jti"] == payload["confirmation"]["id"], "claims")
    demand(key.get("iat", 0) <= payload["iat"] <= key.get("exp", payload["iat"]) and "revoked" not in key, "key")

    disclosed = {}
    for text, name, value in opened:
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        demand(name in ("statement", "registration", "approver") and name not in disclosed, "disclosure")
        demand(digest in payload["_sd"], "disclosure")
        disclosed[name] = value

    confirmation, device = payload["confirmation"], payload["device"]
    statement = None
    if "statement" in disclosed:
        nonce, text = disclosed["statement"]["nonce"], disclosed["statement"]["text"]
        statement = parse(text)
        domain = DOMAINS.get(frozenset(statement), "")
        demand(commits(confirmation["challenge"], domain, nonce, text), "statement")
        demand(statement["confirmationId"] == confirmation["id"], "statement")
        demand(statement["expiresAt"] == confirmation["expiresAt"], "statement")
    demand(is_signed_by_device(device, payload["signature"], confirmation["challenge"]), "signature")

    if "registration" in disclosed:
        registration = disclosed["registration"]
        text = parse(registration["text"])
        domain = "countersign.device-registration.v1"
        demand(commits(registration["challenge"], domain, registration["nonce"], registration["text"]), "registration")
        demand(text["deviceId"] == device["id"] and text["keyThumbprint"] == thumbprint(device["jwk"]), "registration")
        demand(statement is None or text["userId"] == statement["userId"], "registration")
        demand(is_signed_by_device(device, registration, registration["challenge"]), "registration")

    verdict = "genuine" if {"statement", "registration"} <= set(disclosed) else "partial"
    return verdict, statement


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as receipt, open(sys.argv[2], encoding="utf-8") as keys:
        try:
            verdict, statement = verify(receipt.read().strip(), json.load(keys))
        except Refused as failed:
            sys.exit(f"refused: {failed}")
        print(verdict)
        print(json.dumps(statement, indent=2, ensure_ascii=True))
