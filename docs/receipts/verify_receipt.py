"""Verifies a receipt of Countersign without Countersign: python3 verify_receipt.py RECEIPT KEYS

With --lines, reads one JSON object {"receipt": ..., "keys": ...} a line, and writes {"verdict": ..., "step": ...} a line.
Needs the package `cryptography` (46 or newer, for the salt of any length). The steps are those of docs/receipts.md.
"""

import base64
import hashlib
import json
import re
import sys
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256


class Refused(Exception):
    """Ends the check. The argument is the failed step."""


def demand(condition, step):
    if not condition:
        raise Refused(step)


def require(condition):
    """An `assert` that `python -O` does not remove."""
    if not condition:
        raise ValueError("malformed")


def base64url(text):
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    require(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text)
    return data


def once(pairs):
    """Builds an object of JSON, and refuses a member that appears twice."""
    members = dict(pairs)
    require(len(members) == len(pairs))
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


def text(value):
    return isinstance(value, str)


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def time(value):
    return text(value) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value) is not None


def has(**members):
    """Makes the check that a value is an object of exactly these members."""
    return lambda value: (
        isinstance(value, dict)
        and set(value) == set(members)
        and all(fits(value[name]) for name, fits in members.items())
    )


def or_none(fits):
    return lambda value: value is None or fits(value)


def each(fits):
    return lambda value: isinstance(value, dict) and all(fits(one) for one in value.values())


plain_line = has(label=text, value=text)
leading_line = has(label=text, value=text, lead=lambda value: value is True)
words = has(
    direction=lambda value: value in ("ltr", "rtl"),
    title=text,
    lines=lambda value: isinstance(value, list) and all(plain_line(one) or leading_line(one) for one in value),
)
user = has(kind=lambda value: value == "user", id=whole, externalId=or_none(text), name=text)
service = has(
    kind=lambda value: value == "service", id=lambda value: value is None, externalId=lambda value: value is None, name=text
)
STATEMENT = {
    "iss": or_none(text),
    "confirmationId": text,
    "createdAt": time,
    "expiresAt": time,
    "tenant": or_none(text),
    "subject": has(id=whole, externalId=or_none(text)),
    "requester": lambda value: user(value) or service(value),
    "onBehalfOf": or_none(text),
    "context": or_none(each(text)),
    "operation": or_none(text),
    "actionType": text,
    "actionTypeVersion": or_none(text),
    "actionPayload": lambda value: isinstance(value, dict),
    "display": each(words),
}
APPROVAL = dict(
    id=text, policy=has(version=whole, band=whole, digest=text), count=lambda value: whole(value) and value > 0
)
own_vote = has(**APPROVAL)
delegated_vote = has(**APPROVAL, delegatedBy=has(id=whole, externalId=or_none(text), name=text))
DEVICE = dict(id=text, jwk=lambda value: isinstance(value, dict), assurance=lambda value: value == "unattested")
BY_DEVICE = has(signature=has(alg=text, value=text, over=text), device=has(**DEVICE))
BY_PASSKEY = has(
    signature=has(alg=text, value=text, authenticatorData=text, clientDataJSON=text, origin=text),
    device=has(kind=lambda value: value == "passkey", rpId=text, **DEVICE),
)
CLAIMS = has(
    iss=text,
    iat=whole,
    jti=text,
    confirmation=has(id=text, approvedAt=time, expiresAt=time, challenge=text),
    **{name: lambda value: isinstance(value, dict) for name in ("signature", "device")},
    _sd=lambda value: isinstance(value, list) and all(text(one) for one in value),
    _sd_alg=lambda value: value == "sha-256",
)


def split(receipt):
    """Step `format`: returns the header, the payload, the signature and the disclosures."""
    try:
        jws, *disclosures, end = receipt.split("~")
        protected, body, signature = jws.split(".")
        header, payload = parse(base64url(protected)), parse(base64url(body))
        opened = [(one, *parse(base64url(one))[1:]) for one in disclosures]
        require(end == "" and set(header) == {"alg", "kid", "typ"} and header["typ"] == "countersign-receipt+sd-jwt")
        return header, payload, f"{protected}.{body}".encode(), base64url(signature), opened
    except ValueError as error:
        raise Refused("format") from error


def check_statement(disclosed, confirmation, issuer):
    statement = parse(disclosed["text"])
    single = STATEMENT if "approval" not in statement else {**STATEMENT, "approval": lambda value: own_vote(value) or delegated_vote(value)}
    domain = "countersign.approval.v1" if "approval" in statement else "countersign.confirmation.v1"
    demand(commits(confirmation["challenge"], domain, disclosed["nonce"], disclosed["text"]), "statement")
    demand(has(**single)(statement), "statement")
    demand(statement["confirmationId"] == confirmation["id"], "statement")
    demand(statement["expiresAt"] == confirmation["expiresAt"], "statement")
    demand(statement["createdAt"] <= confirmation["approvedAt"], "statement")
    demand(statement["iss"] in (None, issuer), "statement")
    if "approval" in statement:
        people = [statement["requester"]["id"], statement["subject"]["id"]]
        if "delegatedBy" in statement["approval"]:
            people.append(statement["approval"]["delegatedBy"]["id"])
        demand(len(set(people)) == len(people), "statement")
    return statement


def check_registration(registration, device, signature, confirmation, statement):
    signed = parse(registration["text"])
    domain = "countersign.device-registration.v1"
    demand(commits(registration["challenge"], domain, registration["nonce"], registration["text"]), "registration")
    demand(signed["deviceId"] == device["id"] and signed["keyThumbprint"] == thumbprint(device["jwk"]), "registration")
    demand(statement is None or signed["userId"] == statement["subject"]["id"], "registration")
    demand(registration["alg"] == signature["alg"], "registration")
    demand(registration["registeredAt"] <= confirmation["approvedAt"], "registration")
    demand(is_signed_by_device(device, registration, registration["challenge"]), "registration")


def is_signed_by_passkey(device, signature, challenge):
    """WebAuthn Level 3, 7.2, of an assertion that commits to the challenge of the confirmation."""
    try:
        data, client = base64url(signature["authenticatorData"]), base64url(signature["clientDataJSON"])
        said = json.loads(client.decode())
        own = hashlib.sha256(b"countersign.passkey-approval.v1\0" + base64.b64decode(challenge)).digest()
        require(base64url(said["challenge"]) == own and said["type"] == "webauthn.get")
        require(said["origin"] == signature["origin"] and "topOrigin" not in said)
        require(said.get("crossOrigin") is None or said["crossOrigin"] is False)
        require(len(data) >= 37 and data[:32] == hashlib.sha256(device["rpId"].encode()).digest())
        require(data[32] & 5 == 5 and data[32] & 24 != 16 and signature["alg"] in ("ES256", "RS256"))
        signed = data + hashlib.sha256(client).digest()
        return is_signed(device["jwk"], signature["alg"], base64url(signature["value"]), signed)
    except (ValueError, KeyError, TypeError):
        return False


def verify(receipt, keys):
    header, payload, signed, signature, opened = split(receipt)

    found = [one for one in keys["keys"] if one["kid"] == header["kid"]]
    demand(found and all(one == found[0] for one in found) and found[0]["alg"] == header["alg"] and thumbprint(found[0]) == found[0]["kid"], "key")
    key = found[0]
    demand(is_signed(key, header["alg"], signature, signed), "issuer")
    demand(CLAIMS(payload) and payload["jti"] == payload["confirmation"]["id"], "claims")
    confirmation, device = payload["confirmation"], payload["device"]
    signer = {"signature": payload["signature"], "device": device}
    demand(BY_DEVICE(signer) or BY_PASSKEY(signer), "claims")
    approved = int(datetime.fromisoformat(confirmation["approvedAt"].replace("Z", "+00:00")).timestamp())
    demand(confirmation["approvedAt"] < confirmation["expiresAt"] and approved <= payload["iat"], "claims")
    demand(key.get("iat", 0) <= payload["iat"] <= key.get("exp", payload["iat"]) and "revoked" not in key, "key")

    disclosed = {}
    for one, name, value in opened:
        digest = base64.urlsafe_b64encode(hashlib.sha256(one.encode()).digest()).rstrip(b"=").decode()
        demand(name in ("statement", "registration", "approver") and name not in disclosed, "disclosure")
        demand(digest in payload["_sd"], "disclosure")
        disclosed[name] = value

    statement = None
    if "statement" in disclosed:
        statement = check_statement(disclosed["statement"], confirmation, payload["iss"])
    is_signed_by = is_signed_by_passkey if "kind" in device else is_signed_by_device
    demand(is_signed_by(device, payload["signature"], confirmation["challenge"]), "signature")
    if "registration" in disclosed:
        demand("kind" not in device, "registration")
        check_registration(disclosed["registration"], device, payload["signature"], confirmation, statement)

    needed = {"statement"} if "kind" in device else {"statement", "registration"}
    verdict = "genuine" if needed <= set(disclosed) else "partial"
    return verdict, statement


def answer(case):
    try:
        return {"verdict": verify(case["receipt"], case["keys"])[0]}
    except Refused as failed:
        return {"verdict": "refused", "step": str(failed)}


if __name__ == "__main__":
    if sys.argv[1] == "--lines":
        for case in sys.stdin:
            print(json.dumps(answer(json.loads(case))), flush=True)
        sys.exit()
    with open(sys.argv[1], encoding="utf-8") as receipt, open(sys.argv[2], encoding="utf-8-sig") as keys:
        try:
            verdict, statement = verify(receipt.read().strip(), json.load(keys))
        except Refused as failed:
            sys.exit(f"refused: {failed}")
        print(verdict)
        print(json.dumps(statement, indent=2, ensure_ascii=True))
