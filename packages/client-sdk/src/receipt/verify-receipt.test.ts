import { createHash } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import canonicalize from 'canonicalize'
import { compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  approvedAt,
  aStatement,
  confirmationId,
  createDeviceKey,
  createIssuer,
  deviceId,
  expiresAt,
  issuedAt,
  makeReceipt,
  type ReceiptParts,
} from '../testing/make-receipt.ts'
import { receiptSteps, verifyReceipt } from './index.ts'

const checked = async (changes?: Partial<ReceiptParts>) => {
  const { receipt, keys } = await makeReceipt(changes)
  return verifyReceipt(receipt, { keys })
}

const display = {
  en: { direction: 'ltr', title: 'Wire transfer', lines: [{ label: 'Amount', value: '\u20681250.5 EUR\u2069' }] },
}
const registered = { ...aStatement, actionType: 'wire_transfer', actionTypeVersion: '1.0.0', display }
const approval = { id: 'appr_1', policy: { version: 1, band: 0, digest: 'A'.repeat(43) }, count: 2 }
const requester = { kind: 'user', id: 9, externalId: 'eve', name: 'Eve' }
const several = { approval, requester }

const { iss: _iss, confirmationId: _id, expiresAt: _until, ...signedMembers } = aStatement

describe('a genuine receipt', () => {
  it.each(['Ed25519', 'ES256'] as const)('of an issuer with %s names the approval, the action and the device', async (alg) => {
    const issuer = await createIssuer(alg)
    const deviceKey = await createDeviceKey()
    expect(await checked({ issuer, deviceKey })).toStrictEqual({
      verdict: 'genuine',
      unchecked: [],
      issuer: 'https://auth.example.com',
      issuedAt: new Date(issuedAt * 1000).toISOString(),
      kid: issuer.published.kid,
      confirmation: { id: confirmationId, approvedAt, expiresAt, challenge: expect.any(String) },
      device: { id: deviceId, keyThumbprint: deviceKey.thumbprint, algorithm: 'ES256', assurance: 'unattested' },
      statement: {
        domain: 'countersign.confirmation.v1',
        text: canonicalize(aStatement),
        ...signedMembers,
      },
      registration: { registeredAt: '2025-10-01T08:00:05.000Z', userId: 7, deviceFingerprint: 'phone-1' },
      approver: { email: 'ada@example.com', name: 'Ada' },
      inclusion: 'absent',
    })
  })

  it.each(['ES256', 'RS256', 'PS256'] as const)(
    'may come from a device with %s, over the text or the bytes',
    async (algorithm) => {
      const deviceKey = await createDeviceKey(algorithm)
      expect(await checked({ deviceKey, over: 'text' })).toMatchObject({ verdict: 'genuine' })
      expect(await checked({ deviceKey, over: 'bytes' })).toMatchObject({ verdict: 'genuine' })
    },
  )

  it.each([0, 1, 20, 64, 222])('may have an RSA-PSS salt of %d bytes', async (saltLength) => {
    const deviceKey = await createDeviceKey('PS256', saltLength)
    expect(await checked({ deviceKey })).toMatchObject({ verdict: 'genuine' })
  })

  it('may hold the statement of a registered action type, with the words on the screen', async () => {
    const verdict = await checked({ statement: registered })
    expect(verdict).toMatchObject({ verdict: 'genuine', statement: { actionTypeVersion: '1.0.0', display } })
  })

  it.each([
    ['a built-in type', aStatement],
    ['a registered type', registered],
  ])('may be one of several approvals of %s', async (_, statement) => {
    const verdict = await checked({ statement: { ...statement, ...several }, domain: 'countersign.approval.v1' })
    expect(verdict).toMatchObject({ verdict: 'genuine', statement: { ...several, domain: 'countersign.approval.v1' } })
  })

  it('is also accepted by @sd-jwt/core and jose', async () => {
    for (const alg of ['Ed25519', 'ES256'] as const) {
      const { receipt, keys } = await makeReceipt({ issuer: await createIssuer(alg) })
      const key = await importJWK({ ...keys.keys[0] } as never, alg)
      const [jws = ''] = receipt.split('~')
      const { payload } = await compactVerify(jws, key, { algorithms: [alg] })
      const instance = new SDJwtInstance({
        hasher: (data, name) =>
          createHash(name.replace('-', ''))
            .update(Buffer.from(data as string))
            .digest(),
        hashAlg: 'sha-256',
        verifier: async (data, signature) => {
          await compactVerify(`${data}.${signature}`, key)
          return true
        },
      })
      const claims = (await instance.verify(receipt)).payload
      const { _sd, _sd_alg, ...signed } = JSON.parse(Buffer.from(payload).toString())
      expect(_sd).toHaveLength(3)
      expect(claims).toMatchObject(signed)
      expect(claims).toHaveProperty('statement.text')
      expect(claims).toHaveProperty('approver', { email: 'ada@example.com', name: 'Ada' })
    }
  })
})

describe('a partial receipt', () => {
  it.each([
    [['registration', 'approver'], ['statement']],
    [['statement'], ['registration']],
    [[], ['statement', 'registration']],
  ] as const)('with the disclosures %j names the unchecked parts %j', async (disclosed, unchecked) => {
    const verdict = await checked({ disclosed })
    expect(verdict).toMatchObject({ verdict: 'partial', unchecked })
    expect(JSON.stringify(verdict)).not.toContain(disclosed.includes('statement' as never) ? 'phone-1' : 'recipient')
  })

  it('without the approver is still genuine, because the name is only the word of the issuer', async () => {
    expect(await checked({ disclosed: ['statement', 'registration'] })).toMatchObject({ verdict: 'genuine' })
  })
})

describe('a receipt is refused', () => {
  const { iss: _, onBehalfOf: __, ...rest } = aStatement
  const joined = { ...rest, 'iss,onBehalfOf': null }
  const other = { ...aStatement, actionPayload: { ...aStatement.actionPayload, amount: 9 } }

  it.each<[string, string, Partial<ReceiptParts>]>([
    ['with another type', 'format', { header: { typ: 'JWT' } }],
    ['with critical extensions', 'format', { header: { crit: ['b64'], b64: true } }],
    ['with a key in its header', 'format', { header: { jwk: {} } }],
    ['with another hash algorithm', 'claims', { claims: { _sd_alg: 'sha-512' } }],
    ['with an expiry', 'claims', { claims: { exp: issuedAt + 60 } }],
    ['with a holder key', 'claims', { claims: { cnf: {} } }],
    ['with a statement in clear', 'claims', { claims: { statement: {} } }],
    ['issued at a time that no calendar has', 'claims', { claims: { iat: 1e15 } }],
    ['without an issuer', 'claims', { claims: { iss: undefined } }],
    ['with another id than its confirmation', 'claims', { claims: { jti: 'conf_2' } }],
    ['issued before the approval', 'claims', { claims: { iat: issuedAt - 60 } }],
    ['without the digests of its disclosures', 'disclosure', { claims: { _sd: [] } }],
    ['with a statement of another domain', 'statement', { domain: 'countersign.approval.v1' }],
    ['with a login instead of a confirmation', 'statement', { domain: 'countersign.device-login.v1' }],
    ['with an approval of several shown as one', 'statement', { statement: { ...aStatement, ...several } }],
    ['with an unknown member of its statement', 'statement', { statement: { ...aStatement, note: 'x' } }],
    ['with a person of a wrong type', 'statement', { statement: { ...aStatement, subject: { id: '7', externalId: null } } }],
    ['with the statement of another issuer', 'statement', { statement: { ...aStatement, iss: 'https://example.com' } }],
    ['approved before it was asked', 'statement', { statement: { ...aStatement, createdAt: '2025-11-23T10:00:31.000Z' } }],
    ['with a missing member of its statement', 'statement', { statement: rest }],
    ['with a device that somebody attested', 'claims', { claims: { device: { id: deviceId, jwk: {}, assurance: 'attested' } } }],
    ['with two members under one name', 'statement', { statement: joined }],
    ['with the statement of another confirmation', 'statement', { statement: { ...aStatement, confirmationId: 'conf_2' } }],
    ['with another expiry in its statement', 'statement', { statement: { ...aStatement, expiresAt: approvedAt } }],
    [
      'with a wrong signature of the device',
      'signature',
      { claims: { signature: { alg: 'ES256', value: 'A'.repeat(86), over: 'text' } } },
    ],
    ['with the registration of another device', 'registration', { registration: { deviceId: 'x' } }],
    ['with the registration of another user', 'registration', { registration: { userId: 8 } }],
    ['with the registration of another key', 'registration', { registration: { keyThumbprint: 'x' } }],
    ['with a registration of another domain', 'registration', { registrationDomain: 'countersign.device-login.v1' }],
    ['with a registration after the approval', 'registration', { registrationDisclosure: { registeredAt: expiresAt } }],
    ['with a wrong signature of the registration', 'registration', { registrationDisclosure: { value: 'A'.repeat(86) } }],
  ])('%s (%s)', async (_, step, changes) => {
    expect(await checked(changes)).toStrictEqual({ verdict: 'refused', step, reason: expect.any(String) })
  })

  it.each<[string, object]>([
    ['words that are no text', { display: { en: { direction: 'ltr', title: 1, lines: [] } } }],
    ['words without a direction', { display: { en: { title: 'Wire transfer', lines: [] } } }],
    ['lines that are no lines', { display: { en: { direction: 'ltr', title: 'Wire transfer', lines: ['Amount'] } } }],
    ['a version of a wrong type', { actionTypeVersion: 1 }],
    ['a service with an id', { requester: { kind: 'service', id: 3, externalId: null, name: 'billing' } }],
    ['a person without an id', { requester: { kind: 'user', id: null, externalId: null, name: 'Ada' } }],
    ['a requester of another kind', { requester: { ...requester, kind: 'agent' } }],
    ['a context that is no text', { context: { run: 7 } }],
    ['a scope that is no text', { scope: 7 }],
    ['an operation that is no text', { operation: {} }],
  ])('with %s in the statement', async (_, members) => {
    expect(await checked({ statement: { ...registered, ...members } })).toMatchObject({ verdict: 'refused', step: 'statement' })
  })

  it.each<object>([
    { approval: { ...approval, count: 0 } },
    { approval: { ...approval, count: 1.5 } },
    { approval: { ...approval, id: 1 } },
    { approval: { ...approval, policy: { version: 1, band: 0 } } },
    { approval: null },
    { requester: { ...requester, id: 7 } },
  ])('with %j in the statement of one of several approvals', async (members) => {
    const changes = { statement: { ...aStatement, ...several, ...members }, domain: 'countersign.approval.v1' }
    expect(await checked(changes)).toMatchObject({ verdict: 'refused', step: 'statement' })
  })

  it('if the device signed the bytes, and the receipt says text', async () => {
    const deviceKey = await createDeviceKey()
    const { receipt, keys } = await makeReceipt({ deviceKey, over: 'bytes' })
    const payload = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
    const { confirmation, signature } = payload
    const claims = { confirmation, signature: { ...signature, over: 'text' } }
    const forged = await makeReceipt({ deviceKey, claims, disclosed: [] })
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'genuine' })
    expect(await verifyReceipt(forged.receipt, forged)).toMatchObject({ verdict: 'refused', step: 'signature' })
  })

  it('with the disclosed statement of another receipt', async () => {
    const [one, two] = [await makeReceipt(), await makeReceipt({ statement: other })]
    const [, foreign = ''] = two.receipt.split('~')
    const [jws, , ...rest] = one.receipt.split('~')
    expect(await verifyReceipt([jws, foreign, ...rest].join('~'), one)).toMatchObject({ step: 'disclosure' })
  })

  it('with a disclosure twice, or with a key-binding JWT', async () => {
    const { receipt, keys } = await makeReceipt()
    const [, statement = ''] = receipt.split('~')
    expect(await verifyReceipt(`${receipt}${statement}~`, { keys })).toMatchObject({ step: 'disclosure' })
    expect(await verifyReceipt(`${receipt}a.b.c`, { keys })).toMatchObject({ step: 'format' })
  })

  it('of another issuer than the expected one', async () => {
    const { receipt, keys } = await makeReceipt()
    expect(await verifyReceipt(receipt, { keys, issuer: 'https://auth.example.com' })).toMatchObject({ verdict: 'genuine' })
    expect(await verifyReceipt(receipt, { keys, issuer: 'https://example.com' })).toMatchObject({ step: 'issuer' })
  })

  it.each([
    ['unknown', () => []],
    ['given twice', (key: object) => [key, key]],
    ['for another algorithm', (key: object) => [{ ...key, alg: 'ES256' }]],
    ['not the one of its id', (key: object) => [{ ...key, x: Buffer.alloc(32, 1).toString('base64url') }]],
    ['not in use yet', (key: object) => [{ ...key, iat: issuedAt + 1 }]],
    ['retired before', (key: object) => [{ ...key, exp: issuedAt - 1 }]],
    ['revoked', (key: object) => [{ ...key, revoked: { revoked_at: issuedAt + 1000, reason: 'stolen' } }]],
  ])('if the issuer’s key is %s', async (_, change) => {
    const { receipt, keys } = await makeReceipt()
    const given = change(keys.keys[0] ?? {}) as never
    expect(await verifyReceipt(receipt, { keys: { keys: given } })).toMatchObject({ verdict: 'refused', step: 'key' })
  })

  it('from the moment of the key’s announcement until its retirement, it is accepted', async () => {
    const { receipt, keys } = await makeReceipt()
    const inUse = { keys: [{ ...keys.keys[0], iat: issuedAt, exp: issuedAt }] as never }
    expect(await verifyReceipt(receipt, { keys: inUse })).toMatchObject({ verdict: 'genuine' })
  })

  it.each([
    ['is empty', ''],
    ['is a tilde', '~'],
    ['is a JWS of nothing', 'a.b.c~'],
    ['is several tildes', '~~~'],
    ['is no ASCII', 'é~'],
    ['is too long', 'a'.repeat(70_000)],
  ])('if the text %s', async (_, text) => {
    expect(await verifyReceipt(text, { keys: { keys: [] } })).toMatchObject({ verdict: 'refused', step: 'format' })
  })
})

describe('the steps of a check', () => {
  it('are named in their order', () => {
    expect(receiptSteps).toStrictEqual([
      'format',
      'key',
      'issuer',
      'claims',
      'disclosure',
      'statement',
      'signature',
      'registration',
    ])
  })
})

describe('verifyReceipt', () => {
  it('needs a JWK set', async () => {
    const { receipt, keys } = await makeReceipt()
    for (const wrong of [undefined, null, {}, keys.keys, keys.keys[0]]) {
      await expect(verifyReceipt(receipt, { keys: wrong as never })).rejects.toThrow(TypeError)
    }
  })
})
