import { constants, createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { CompactSign, calculateJwkThumbprint, exportJWK } from 'jose'
import type { ReceiptKey } from '../receipt/index.ts'

// Makes receipts for tests, from the text of the format alone. The core makes the real ones.

export type DeviceAlgorithm = 'ES256' | 'RS256' | 'PS256'

/** A key pair of an issuer, with the public key as it is published. */
export interface TestIssuer {
  readonly privateKey: KeyObject
  readonly published: ReceiptKey
}

export const createIssuer = async (alg: 'Ed25519' | 'ES256' = 'Ed25519'): Promise<TestIssuer> => {
  const { privateKey, publicKey } =
    alg === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  return { privateKey, published: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg } as ReceiptKey }
}

export interface TestDeviceKey {
  readonly algorithm: DeviceAlgorithm
  readonly jwk: Readonly<Record<string, unknown>>
  readonly thumbprint: string
  sign(bytes: Uint8Array): Buffer
}

export const createDeviceKey = async (algorithm: DeviceAlgorithm = 'ES256', saltLength = 32): Promise<TestDeviceKey> => {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = (await exportJWK(publicKey)) as Readonly<Record<string, unknown>>
  const options = {
    ES256: { dsaEncoding: 'ieee-p1363' },
    RS256: { padding: constants.RSA_PKCS1_PADDING },
    PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
  } as const
  return {
    algorithm,
    jwk,
    thumbprint: await calculateJwkThumbprint(jwk),
    sign: (bytes) => sign('sha256', bytes, { key: privateKey, ...options[algorithm] }),
  }
}

/** Everything that a test may replace in a receipt. */
export interface ReceiptParts {
  readonly issuer: TestIssuer
  readonly deviceKey: TestDeviceKey
  readonly over: 'text' | 'bytes'
  readonly header: object
  readonly claims: object
  readonly domain: string
  readonly statement: Readonly<Record<string, unknown>>
  /** The statement that is disclosed in place of the signed one. */
  readonly shownStatement: Readonly<Record<string, unknown>>
  readonly registrationDomain: string
  readonly registration: Readonly<Record<string, unknown>>
  readonly registrationDisclosure: object
  /** The approval is the assertion of a passkey. */
  readonly passkey: Partial<PasskeyParts>
  readonly disclosed: readonly ('statement' | 'registration' | 'approver')[]
}

export const confirmationId = 'conf_0b1f3c6e-8a54-4b2a-9f5e-1d2c3b4a5968'
export const deviceId = '7d9c1b1e-3f5a-4c58-8f3e-2a1b0c9d8e7f'
export const approvedAt = '2025-11-23T10:00:30.250Z'
export const expiresAt = '2025-11-23T10:05:00.000Z'
export const issuedAt = Date.parse('2025-11-23T10:00:31Z') / 1000

const issuerUrl = 'https://auth.example.com'

export const aStatement = {
  iss: issuerUrl,
  confirmationId,
  createdAt: '2025-11-23T10:00:00.000Z',
  expiresAt,
  tenant: null,
  subject: { id: 7, externalId: null },
  requester: { kind: 'user', id: 7, externalId: null, name: 'Ada' },
  onBehalfOf: null,
  context: null,
  operation: null,
  actionType: 'payment_approval',
  actionTypeVersion: null,
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'Ada’s Workshop' },
  display: {
    en: {
      direction: 'ltr',
      title: 'Payment',
      lines: [
        { label: 'Amount', value: '\u20681,250.50 EUR\u2069', lead: true },
        { label: 'Asked by', value: '\u2068Ada\u2069' },
      ],
    },
  },
}

const commit = (domain: string, nonce: Buffer, text: string): string =>
  createHash('sha512').update(`${domain}\0`).update(nonce).update(text).digest('base64')

const disclosure = (name: string, value: unknown): string =>
  Buffer.from(JSON.stringify([randomBytes(16).toString('base64url'), name, value])).toString('base64url')

const signChallenge = (key: TestDeviceKey, challenge: string, over: 'text' | 'bytes') => ({
  alg: key.algorithm,
  value: key.sign(Buffer.from(challenge, over === 'text' ? 'utf8' : 'base64')).toString('base64url'),
  over,
})

/** Everything that a test may replace in the assertion of a passkey. */
export interface PasskeyParts {
  readonly clientData: Readonly<Record<string, unknown>>
  /** The relying party that the authenticator signs for. */
  readonly signedFor: string
  readonly flags: number
  readonly domain: string
}

const passkeyOrigin = 'https://app.example.com'
const passkeyRpId = 'example.com'

const assert = (key: TestDeviceKey, challenge: string, changes: Partial<PasskeyParts>) => {
  const sha256 = (...parts: readonly (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  const own = sha256(`${changes.domain ?? 'countersign.passkey-approval.v1'}\0`, Buffer.from(challenge, 'base64'))
  const clientData = { type: 'webauthn.get', challenge: own.toString('base64url'), origin: passkeyOrigin, crossOrigin: false }
  const client = Buffer.from(JSON.stringify({ ...clientData, ...changes.clientData }))
  const authenticatorData = Buffer.from([...sha256(changes.signedFor ?? passkeyRpId), changes.flags ?? 0b101, 0, 0, 0, 7])
  return {
    alg: key.algorithm,
    value: key.sign(Buffer.concat([authenticatorData, sha256(client)])).toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    clientDataJSON: client.toString('base64url'),
    origin: passkeyOrigin,
  }
}

/** Makes a receipt. Without changes, its verdict is `genuine`. */
export const makeReceipt = async (
  changes: Partial<ReceiptParts> = {},
): Promise<{ receipt: string; keys: { keys: ReceiptKey[] } }> => {
  const issuer = changes.issuer ?? (await createIssuer())
  const deviceKey = changes.deviceKey ?? (await createDeviceKey())
  const over = changes.over ?? 'text'
  const nonce = randomBytes(64)
  const text = canonicalize(changes.statement ?? aStatement) ?? ''
  const challenge = commit(changes.domain ?? 'countersign.confirmation.v1', nonce, text)

  const registrationNonce = randomBytes(64)
  const registrationText =
    canonicalize({
      deviceId,
      userId: 7,
      keyThumbprint: deviceKey.thumbprint,
      deviceFingerprint: 'phone-1',
      expiresAt: '2025-10-01T08:02:00.000Z',
      ...changes.registration,
    }) ?? ''
  const registrationChallenge = commit(
    changes.registrationDomain ?? 'countersign.device-registration.v1',
    registrationNonce,
    registrationText,
  )
  const values = {
    statement: {
      nonce: nonce.toString('base64'),
      text: changes.shownStatement ? (canonicalize(changes.shownStatement) ?? '') : text,
    },
    registration: {
      challenge: registrationChallenge,
      nonce: registrationNonce.toString('base64'),
      text: registrationText,
      ...signChallenge(deviceKey, registrationChallenge, over),
      registeredAt: '2025-10-01T08:00:05.000Z',
      ...changes.registrationDisclosure,
    },
    approver: { email: 'ada@example.com', name: 'Ada' },
  }
  const all = Object.entries(values).map(([name, value]) => ({ name, encoded: disclosure(name, value) }))
  const payload = {
    iss: issuerUrl,
    iat: issuedAt,
    jti: confirmationId,
    confirmation: { id: confirmationId, approvedAt, expiresAt, challenge },
    ...(changes.passkey === undefined
      ? {
          signature: signChallenge(deviceKey, challenge, over),
          device: { id: deviceId, jwk: deviceKey.jwk, assurance: 'unattested' },
        }
      : {
          signature: assert(deviceKey, challenge, changes.passkey),
          device: { kind: 'passkey', id: deviceId, jwk: deviceKey.jwk, rpId: passkeyRpId, assurance: 'unattested' },
        }),
    _sd: all.map(({ encoded }) => createHash('sha256').update(encoded).digest('base64url')).sort(),
    _sd_alg: 'sha-256',
    ...changes.claims,
  }
  const { alg, kid } = issuer.published
  const jws = await new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg, typ: 'countersign-receipt+sd-jwt', kid, ...changes.header })
    .sign(issuer.privateKey)
  const ofSigner = changes.passkey === undefined ? (['registration'] as const) : []
  const disclosed = changes.disclosed ?? ['statement', ...ofSigner, 'approver']
  const shown = all.filter(({ name }) => disclosed.some((one) => one === name)).map(({ encoded }) => encoded)
  return { receipt: [jws, ...shown, ''].join('~'), keys: { keys: [issuer.published] } }
}
