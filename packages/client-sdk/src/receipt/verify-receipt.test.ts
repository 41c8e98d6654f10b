import canonicalize from 'canonicalize'
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
import { verifyReceipt } from './index.ts'

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

  it('can have the statement of a registered action type, with the words on the screen', async () => {
    const verdict = await checked({ statement: registered })
    expect(verdict).toMatchObject({ verdict: 'genuine', statement: { actionTypeVersion: '1.0.0', display } })
  })

  it.each([
    ['a built-in type', aStatement],
    ['a registered type', registered],
  ])('can be for one of several approvals of %s', async (_, statement) => {
    const verdict = await checked({ statement: { ...statement, ...several }, domain: 'countersign.approval.v1' })
    expect(verdict).toMatchObject({ verdict: 'genuine', statement: { ...several, domain: 'countersign.approval.v1' } })
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

  // The vectors have the other refusals, each with its step.
  it.each<[string, string, Partial<ReceiptParts>]>([
    ['issued at a time that no calendar has', 'claims', { claims: { iat: 1e15 } }],
    ['with two members under one name', 'statement', { statement: joined }],
  ])('%s (%s)', async (_, step, changes) => {
    expect(await checked(changes)).toStrictEqual({ verdict: 'refused', step, reason: expect.any(String) })
  })

  it.each<[string, object]>([
    ['words that are no text', { display: { en: { direction: 'ltr', title: 1, lines: [] } } }],
    ['lines that are no lines', { display: { en: { direction: 'ltr', title: 'Wire transfer', lines: ['Amount'] } } }],
    ['an operation that is no text', { operation: {} }],
  ])('with %s in the statement', async (_, members) => {
    expect(await checked({ statement: { ...registered, ...members } })).toMatchObject({ verdict: 'refused', step: 'statement' })
  })

  it('if the device signed the bytes, but the receipt says that it signed the text', async () => {
    const deviceKey = await createDeviceKey()
    const { receipt, keys } = await makeReceipt({ deviceKey, over: 'bytes' })
    const payload = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
    const { confirmation, signature } = payload
    const claims = { confirmation, signature: { ...signature, over: 'text' } }
    const forged = await makeReceipt({ deviceKey, claims, disclosed: [] })
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'genuine' })
    expect(await verifyReceipt(forged.receipt, forged)).toMatchObject({ verdict: 'refused', step: 'signature' })
  })

  it('of another issuer than the expected one', async () => {
    const { receipt, keys } = await makeReceipt()
    expect(await verifyReceipt(receipt, { keys, issuer: 'https://auth.example.com' })).toMatchObject({ verdict: 'genuine' })
    expect(await verifyReceipt(receipt, { keys, issuer: 'https://example.com' })).toMatchObject({ step: 'issuer' })
  })

  it('but not if it was issued between the announcement and the retirement of the key, both included', async () => {
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

describe('verifyReceipt', () => {
  it('rejects without a JWK set', async () => {
    const { receipt, keys } = await makeReceipt()
    for (const wrong of [undefined, null, {}, keys.keys, keys.keys[0]]) {
      await expect(verifyReceipt(receipt, { keys: wrong as never })).rejects.toThrow(TypeError)
    }
  })
})
