import { generateKeyPairSync } from 'node:crypto'
import { limits } from '@countersign/contract'
import { tokenTypes, useOfType } from '../identity/tokens/claims.ts'
import { deriveTokenKeys } from '../identity/tokens/token-keys.ts'
import type { KeyRing } from '../shared/crypto/key-ring.ts'
import { systemRandom } from '../shared/random.ts'
import { forgeToken, readForged, type TokenPart } from './forge-token.ts'

export interface HostileToken {
  /** The one fault of the token. */
  readonly name: string
  readonly token: string
}

type Variations = Readonly<Record<string, string>>

const spellingsOfNone = ['none', 'None', 'NONE', 'nOnE', '']
const otherAlgorithms = ['RS256', 'ES256', 'PS256', 'HS384', 'HS512', 'hs256', 'HS256 ', null, ['HS256'], 0]
const otherKids = [
  'unknown',
  '',
  ' ',
  null,
  0,
  ['k'],
  '../../../../dev/null',
  '/dev/null',
  "k' OR '1'='1",
  '__proto__',
  'constructor',
  'k\0',
]
const otherTypes = ['JWT', 'jwt', 'at+jwt', '', null, ['JWT']]
const notInstants = {
  'a text': '9999999999',
  null: null,
  true: true,
  'a list': [9_999_999_999],
  'an object': {},
  'below zero': -1,
  'a fraction': 9_999_999_999.5,
}

let pem: Buffer | undefined

/** Returns the same public key each time, because creating one takes longer than all other forged tokens. */
const rsaPublicKey = (): Buffer => {
  pem ??= Buffer.from(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'pem', type: 'spki' }))
  return pem
}

/** Returns claims in which the value of one claim is a text that `JSON.stringify` would not write. */
const withRawClaim = (payload: object, claim: string, text: string): string =>
  JSON.stringify({ ...payload, [claim]: 'RAW' }).replace('"RAW"', text)

const without = (part: object, member: string): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== member))

const flipLastBitOf = (text: string): string => {
  const bytes = Buffer.from(text, 'base64url')
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
  return bytes.toString('base64url')
}

/** Changes the last character without changing the decoded bytes. Its two lowest bits are unused, because 32 bytes are encoded. */
const respellLastCharacter = (text: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) ?? '') ^ 1]
}

/**
 * Returns forged tokens, as attackers make them of a genuine token (RFC 8725 and published advisories). Each has one fault, which
 * its name says. Tokens with another fault than the signature are signed with the genuine key, so a missing check lets them pass.
 *
 * @param ring The key ring that signed `genuine`, which may be a token of any use.
 */
export const hostileTokens = (ring: KeyRing, genuine: string): readonly HostileToken[] => {
  const { header, payload } = readForged(genuine)
  const use = useOfType(header.typ)
  if (use === undefined) throw new TypeError('a genuine token is asked for')
  const keys = deriveTokenKeys(ring)
  const { key } = keys[use].current
  const otherUse = use === 'service' ? 'access' : 'service'
  const [headerText = '', payloadText = '', signature = ''] = genuine.split('.')
  const forge = (of: { header?: TokenPart; payload?: TokenPart }) => forgeToken({ header, payload, key, ...of })
  const withHeader = (members: object) => forge({ header: { ...header, ...members } })
  const withClaims = (claims: object) => forge({ payload: { ...payload, ...claims } })
  const json = JSON.stringify(payload)
  const jwk = key.export({ format: 'jwk' })

  const algorithms: Variations = {
    ...Object.fromEntries(
      spellingsOfNone.flatMap((alg) => {
        const token = withHeader({ alg })
        return [
          [`alg "${alg}" and no signature`, token.slice(0, token.lastIndexOf('.') + 1)],
          [`alg "${alg}" and the signature`, token],
        ]
      }),
    ),
    ...Object.fromEntries(otherAlgorithms.map((alg) => [`alg ${JSON.stringify(alg)}`, withHeader({ alg })])),
    'alg HS384, signed so': forgeToken({ header: { ...header, alg: 'HS384' }, payload, key, hash: 'sha384' }),
    'alg HS512, signed so': forgeToken({ header: { ...header, alg: 'HS512' }, payload, key, hash: 'sha512' }),
    'alg HS256, signed with HMAC-SHA512': forgeToken({ header, payload, key, hash: 'sha512' }),
    'alg RS256, a public key as the secret': forgeToken({ header: { ...header, alg: 'RS256' }, payload, key: rsaPublicKey() }),
    'no alg': forge({ header: without(header, 'alg') }),
  }
  const headers: Variations = {
    'its own key (jwk)': withHeader({ jwk }),
    'the address of a key (jku)': withHeader({ jku: 'https://attacker.test/keys.json' }),
    'the address of a certificate (x5u)': withHeader({ x5u: 'https://attacker.test/cert.pem' }),
    'a certificate (x5c)': withHeader({ x5c: ['AAAA'] }),
    'crit of a member it has': withHeader({ crit: ['exp'], exp: payload.exp }),
    'crit of nothing': withHeader({ crit: [] }),
    'crit of an unknown member': withHeader({ crit: ['x'], x: 1 }),
    'b64 false': withHeader({ b64: false }),
    'b64 true in crit': withHeader({ b64: true, crit: ['b64'] }),
    'a compression (zip)': withHeader({ zip: 'DEF' }),
    'a content type (cty)': withHeader({ cty: 'JWT' }),
    'an encryption (enc)': withHeader({ enc: 'A256GCM' }),
    'a header member twice': forge({ header: JSON.stringify(header).replace('{', '{"alg":"HS256",') }),
    'white space in the header': forge({ header: JSON.stringify(header, null, 1) }),
    'a header that is a list': forge({ header: [header] }),
    'a header that is no JSON': forge({ header: '{"alg":"HS256"' }),
    'no kid': forge({ header: without(header, 'kid') }),
    ...Object.fromEntries(otherKids.map((kid) => [`kid ${JSON.stringify(kid)}`, withHeader({ kid })])),
    'no typ': forge({ header: without(header, 'typ') }),
    ...Object.fromEntries(otherTypes.map((typ) => [`typ ${JSON.stringify(typ)}`, withHeader({ typ })])),
    'typ in capitals': withHeader({ typ: String(header.typ).toUpperCase() }),
    'typ with a prefix': withHeader({ typ: `application/${header.typ}` }),
    'typ of another use': withHeader({ typ: tokenTypes[otherUse] }),
    'typ of another use, signed with its key': forgeToken({
      header: { ...header, typ: tokenTypes[otherUse] },
      payload,
      key: keys[otherUse].current.key,
    }),
  }
  const signatures: Variations = {
    'no signature': `${headerText}.${payloadText}.`,
    'a signature with one bit changed': `${headerText}.${payloadText}.${flipLastBitOf(signature)}`,
    'a signature in another spelling': `${headerText}.${payloadText}.${respellLastCharacter(signature)}`,
    'a signature with padding': `${genuine}=`,
    'half a signature': `${headerText}.${payloadText}.${signature.slice(0, 22)}`,
    'the signature of other claims': `${headerText}.${forge({ payload: { ...payload, sub: '2', id: 2 } }).split('.')[1]}.${signature}`,
    'the key of another use': forgeToken({ header, payload, key: keys[otherUse].current.key }),
    'the secret from which keys are derived': forgeToken({ header, payload, key: ring.current.secret }),
    'a key of 32 zeros': forgeToken({ header, payload, key: new Uint8Array(32) }),
    'an empty key': forgeToken({ header, payload, key: new Uint8Array(0) }),
    'a key that nobody has': forgeToken({ header, payload, key: systemRandom.bytes(32) }),
  }
  const forms: Variations = {
    nothing: '',
    'two parts': `${headerText}.${payloadText}`,
    'four parts': `${genuine}.${signature}`,
    'five parts': `${headerText}....${signature}`,
    'a dot after it': `${genuine}.`,
    'a space before it': ` ${genuine}`,
    'a space after it': `${genuine} `,
    'a line feed after it': `${genuine}\n`,
    'a line feed within': `${headerText}\n.${payloadText}.${signature}`,
    'NUL after it': `${genuine}\0`,
    'its scheme before it': `Bearer ${genuine}`,
    'itself twice': `${genuine},${genuine}`,
    'padding of the payload': `${headerText}.${payloadText}=.${signature}`,
    'the flattened JSON form': JSON.stringify({ protected: headerText, payload: payloadText, signature }),
    'more than 8 KiB': withClaims({ sub: 'x'.repeat(limits.tokenBytes) }),
    'a claim twice': forge({ payload: json.replace('{', '{"sub":"1",') }),
    'white space between claims': forge({ payload: JSON.stringify(payload, null, 1) }),
    'a byte order mark': forge({ payload: `\uFEFF${json}` }),
    'a claim spelt with escapes': forge({ payload: json.replace('"sub"', String.raw`"s\u0075b"`) }),
    'bytes that are no UTF-8': forge({ payload: Buffer.from(withRawClaim(payload, 'sub', '"\xFF"'), 'latin1') }),
    'a prototype among its claims': forge({ payload: json.replace('{', '{"__proto__":{},') }),
    'claims that are a list': forge({ payload: [payload] }),
    'claims that are a text': forge({ payload: JSON.stringify(json) }),
    'claims that are null': forge({ payload: 'null' }),
    'no claims': forge({ payload: '' }),
  }
  const claims: Variations = {
    ...Object.fromEntries(
      ['exp', 'iat'].flatMap((claim) => [
        [`no ${claim}`, forge({ payload: without(payload, claim) })],
        ...Object.entries(notInstants).map(([what, value]) => [`${claim} that is ${what}`, withClaims({ [claim]: value })]),
        [`${claim} past every number`, forge({ payload: withRawClaim(payload, claim, '1e400') })],
        [`${claim} that is NaN`, forge({ payload: withRawClaim(payload, claim, 'NaN') })],
        [`${claim} in another spelling`, forge({ payload: withRawClaim(payload, claim, `${payload[claim]}.0`) })],
      ]),
    ),
    'exp 0': withClaims({ exp: 0 }),
    'exp of the time it was issued': withClaims({ exp: payload.iat }),
    'a claim that is not ours (nbf)': withClaims({ nbf: 0 }),
    'a claim that is not ours (admin)': withClaims({ admin: true }),
    ...Object.fromEntries(
      ['iss', 'aud', 'sub', 'jti', 'session_id', 'token_use'].flatMap((claim) => [
        [`no ${claim}`, forge({ payload: without(payload, claim) })],
        [`empty ${claim}`, withClaims({ [claim]: '' })],
        [`${claim} that is null`, withClaims({ [claim]: null })],
        [`${claim} that is a number`, withClaims({ [claim]: 1 })],
        [`${claim} that is a list`, withClaims({ [claim]: [payload[claim]] })],
      ]),
    ),
    'another iss': withClaims({ iss: 'another issuer' }),
    'another aud': withClaims({ aud: 'another audience' }),
    'our aud among others': withClaims({ aud: [payload.aud, 'another audience'] }),
    'jti that is no UUID': withClaims({ jti: 'x' }),
    'session_id that is no UUID': withClaims({ session_id: 'x' }),
    'token_use of another use': withClaims({ token_use: otherUse }),
  }
  return Object.entries({ ...algorithms, ...headers, ...signatures, ...forms, ...claims }).map(([name, token]) => ({
    name,
    token,
  }))
}
