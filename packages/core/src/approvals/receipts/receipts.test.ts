import { createHash } from 'node:crypto'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import { minutes, seconds, toIsoTimestamp } from '../../shared/clock.ts'
import { approvePayment } from '../../testing/approve-payment.ts'
import { aConfirmation } from '../../testing/builders.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { aReceiptKeyRing } from '../../testing/test-keys.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '../receipt-keys/receipt-key-ring.ts'

interface Claims {
  readonly iss: string
  readonly iat: number
  readonly jti: string
  readonly confirmation: Readonly<Record<string, string>>
  readonly signature: { readonly alg: string; readonly value: string; readonly over: string }
  readonly device: { readonly id: string; readonly jwk: object }
  readonly _sd: readonly string[]
}

/** Opens a receipt with `jose`, and returns its claims and disclosures. */
const open = async ({ countersign }: Pick<TestCountersign, 'countersign'>, receipt: string) => {
  const [jws = '', ...rest] = receipt.split('~')
  expect(rest.pop()).toBe('')
  const header = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as { kid: string; alg: string }
  const key = (await countersign.receipts.keys()).find(({ kid }) => kid === header.kid)
  if (key === undefined) throw new Error('the key is not published')
  const { payload } = await compactVerify(jws, await importJWK({ ...key.jwk }, key.alg), { algorithms: [key.alg] })
  const claims = JSON.parse(Buffer.from(payload).toString()) as Claims
  const disclosures = rest.map((encoded) => JSON.parse(Buffer.from(encoded, 'base64url').toString()) as [string, string, never])
  const digests = rest.map((encoded) => createHash('sha256').update(encoded).digest('base64url'))
  return {
    header,
    claims,
    salts: disclosures.map(([salt]) => salt),
    parts: Object.fromEntries(disclosures.map(([, name, value]) => [name, value])) as Record<string, Record<string, string>>,
    digests,
  }
}

const approved = async (given?: TestCountersign) => {
  const test = given ?? (await createTestCountersign())
  const user = await signInNewDeviceUser(test)
  const confirmation = await approvePayment(test, user)
  const receipt = () => test.countersign.receipts.ofUser({ caller: user.web.caller, confirmationId: confirmation.id })
  return { ...test, test, user, confirmation, receipt }
}

describe('the receipt of an approved confirmation', () => {
  it('of an ordinary payment has under 6 KB, and its statement in five languages under 2 KB', async () => {
    const { test, receipt } = await approved()
    const text = await receipt()
    const { parts } = await open(test, text)
    expect(Object.keys((JSON.parse(parts.statement?.text ?? '') as { readonly display: object }).display)).toHaveLength(5)
    expect(Buffer.byteLength(parts.statement?.text ?? '')).toBeLessThan(2000)
    expect(text.length).toBeLessThan(6000)
  })

  it('names the approval, the signature and the key of the device', async () => {
    const { test, user, confirmation, receipt, clock } = await approved()
    const approvedAt = toIsoTimestamp(clock.now())
    clock.advance(minutes(3))
    const { header, claims, parts, digests } = await open(test, await receipt())
    expect(header).toStrictEqual({ alg: 'Ed25519', typ: 'countersign-receipt+sd-jwt', kid: expect.any(String) })
    expect(claims).toStrictEqual({
      iss: 'https://auth.example.com',
      iat: Math.floor(clock.now() / 1000),
      jti: confirmation.id,
      confirmation: {
        id: confirmation.id,
        approvedAt,
        expiresAt: toIsoTimestamp(confirmation.expiresAt),
        challenge: confirmation.challenge,
      },
      signature: { alg: 'ES256', value: expect.stringMatching(/^[\w-]{86}$/), over: 'text' },
      device: {
        id: user.device.id,
        jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
        assurance: 'unattested',
      },
      _sd: [...digests].sort(),
      _sd_alg: 'sha-256',
    })
    expect(Object.keys(parts)).toStrictEqual(['statement', 'registration', 'approver'])
    expect(parts.approver).toStrictEqual({ email: user.web.user.email, name: user.web.user.name })
  })

  it('has the public key of each kind of signer with exactly the members of its type', async () => {
    const test = await createTestCountersign({ options: { passkeyApprovals: true } })
    const text = expect.any(String)
    const ec = { kty: 'EC', crv: 'P-256', x: text, y: text }
    const rsa = { kty: 'RSA', n: text, e: 'AQAB' }
    const signerOf = async (caller: Pick<Caller, 'userId'>, confirmationId: string) => {
      const { claims } = await open(test, await test.countersign.receipts.ofUser({ caller, confirmationId }))
      return { signature: claims.signature, device: claims.device }
    }
    for (const [algorithm, jwk] of [
      ['ES256', ec],
      ['RS256', rsa],
      ['PS256', rsa],
    ] as const) {
      const user = await signInNewDeviceUser(test, { algorithm })
      const { id } = await approvePayment(test, user)
      expect(await signerOf(user.web.caller, id)).toStrictEqual({
        signature: { alg: algorithm, value: text, over: 'text' },
        device: { id: user.device.id, jwk, assurance: 'unattested' },
      })
    }
    for (const [algorithm, jwk] of [
      ['ES256', ec],
      ['RS256', rsa],
    ] as const) {
      const user = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey({ algorithm }) })
      const { caller } = await signInByPasskey(test, user.virtual)
      const asked = await initiatePayment(test, caller)
      await test.countersign.confirmations.approve({ caller, ...approvalByPasskey(user.virtual, asked) })
      const origin = 'http://localhost:4000'
      expect(await signerOf(caller, asked.id)).toStrictEqual({
        signature: { alg: algorithm, value: text, authenticatorData: text, clientDataJSON: text, origin },
        device: { kind: 'passkey', id: user.passkey.id, jwk, assurance: 'unattested', rpId: 'localhost' },
      })
    }
  })

  it('discloses the statement and the registration whose challenges were signed', async () => {
    const { test, confirmation, receipt, user } = await approved()
    const { parts } = await open(test, await receipt())
    const commitment = (domain: string, { nonce = '', text = '' }: Record<string, string> = {}) =>
      createHash('sha512').update(`${domain}\0`).update(Buffer.from(nonce, 'base64')).update(text).digest('base64')
    expect(commitment('countersign.confirmation.v1', parts.statement)).toBe(confirmation.challenge)
    expect(commitment('countersign.device-registration.v1', parts.registration)).toBe(parts.registration?.challenge)
    expect(JSON.parse(parts.statement?.text ?? '')).toMatchObject({
      confirmationId: confirmation.id,
      actionType: 'payment_approval',
    })
    expect(JSON.parse(parts.registration?.text ?? '')).toMatchObject({ deviceId: user.device.id })
    const { challenge, nonce, text } = parts.registration ?? {}
    const signature = { alg: 'ES256', value: expect.stringMatching(/^[\w-]{86}$/), over: 'text' }
    expect(parts.registration).toStrictEqual({ challenge, nonce, text, ...signature, registeredAt: expect.any(String) })
  })

  it('has a different secret salt for each disclosure and each confirmation', async () => {
    const test = await createTestCountersign()
    const receipts = [await approved(test), await approved(test)]
    const salts = await Promise.all(receipts.map(async ({ receipt }) => (await open(test, await receipt())).salts))
    expect(new Set(salts.flat()).size).toBe(6)
    for (const salt of salts.flat()) expect(Buffer.from(salt, 'base64url')).toHaveLength(16)
  })

  it('is the same text if it is made again for the same time of issue', async () => {
    const { receipt, clock } = await approved()
    const first = await receipt()
    expect(await receipt()).toBe(first)
    clock.advance(seconds(1))
    expect(await receipt()).not.toBe(first)
  })

  it('can be read only by the user, and only if the confirmation is approved', async () => {
    const { test, user, countersign, confirmation, receipt } = await approved()
    const other = await signInNewDeviceUser(test)
    const pending = await initiatePayment(test, user.web.caller)
    const refused = { code: 'receipt_not_found' }
    const ofUser = countersign.receipts.ofUser
    await expect(ofUser({ caller: other.web.caller, confirmationId: confirmation.id })).rejects.toMatchObject(refused)
    await expect(ofUser({ caller: user.web.caller, confirmationId: pending.id })).rejects.toMatchObject(refused)
    await expect(ofUser({ caller: user.web.caller, confirmationId: aConfirmation().id })).rejects.toMatchObject(refused)
    await countersign.confirmations.reject({ caller: user.web.caller, confirmationId: pending.id })
    await expect(ofUser({ caller: user.web.caller, confirmationId: pending.id })).rejects.toMatchObject(refused)
    expect(await countersign.receipts.export({ confirmationId: confirmation.id })).toBe(await receipt())
  })

  it('can be read by a service, and only if the confirmation is approved', async () => {
    const { test, user, countersign, confirmation, receipt } = await approved()
    const service = { name: 'billing', scopes: ['confirmation.read:payment_approval'] }
    const pending = await initiatePayment(test, user.web.caller)
    const refused = countersign.services.receipt({ service, confirmationId: pending.id })
    await expect(refused).rejects.toMatchObject({ code: 'confirmation_not_found' })
    expect(await countersign.services.receipt({ service, confirmationId: confirmation.id })).toBe(await receipt())
  })

  it('is never issued before the approval, even if the clock of this server is behind', async () => {
    const { test, receipt, clock } = await approved()
    const approvedAt = clock.now()
    clock.advance(-seconds(5))
    expect((await open(test, await receipt())).claims.iat).toBe(Math.floor(approvedAt / 1000))
  })

  it('can still be made after the removal of the device', async () => {
    const { countersign, user, receipt } = await approved()
    const before = await receipt()
    await countersign.devices.revoke({ id: user.device.id })
    expect(await receipt()).toBe(before)
  })

  it('cannot be made for an approval without evidence', async () => {
    const { storage, countersign, user } = await approved()
    const { id, userId } = aConfirmation({ userId: user.web.user.id })
    await storage.confirmations.initiate(aConfirmation({ id, userId, status: 'approved', deviceId: user.device.id }), 100)
    const read = countersign.receipts.ofUser({ caller: user.web.caller, confirmationId: id })
    await expect(read).rejects.toMatchObject({ code: 'receipt_unavailable', kind: 'conflict' })
  })

  it('cannot be made by a host without receipt keys', async () => {
    const { receipt, countersign } = await approved(await createTestCountersign({ receipts: undefined }))
    await expect(receipt()).rejects.toMatchObject({ code: 'receipts_not_configured' })
    expect(await countersign.receipts.keys()).toStrictEqual([])
  })
})

describe('receipt keys', () => {
  const issuer = 'https://auth.example.com'
  const rotating = async () => {
    const [older, newer] = [generateReceiptKeyRing(), generateReceiptKeyRing('ES256')]
    const first = await createTestCountersign({ receipts: { keys: parseReceiptKeyRing(older), issuer } })
    const { storage, clock, encryptionKeys, jwtKeys } = first
    const keys = parseReceiptKeyRing(`${newer},${older}`)
    const second = () => createTestCountersign({ storage, clock, encryptionKeys, jwtKeys, receipts: { keys, issuer } })
    return { first, second, clock }
  }

  it('of the whole ring are published before the first key signs', async () => {
    const { first, second, clock } = await rotating()
    const { receipt } = await approved(first)
    const before = await open(first, await receipt())
    clock.advance(minutes(1))
    const rotated = await second()
    const published = await rotated.countersign.receipts.keys()
    const kid = published.find(({ alg }) => alg === 'ES256')?.kid
    expect(rotated.logger.entries).toEqual([{ level: 'info', event: 'receipt_key_published', fields: { kid } }])
    expect(published.map(({ alg, retiredAt, revokedAt }) => [alg, retiredAt, revokedAt])).toStrictEqual([
      ['Ed25519', null, null],
      ['ES256', null, null],
    ])
    const after = await open(rotated, await (await approved(rotated)).receipt())
    expect([before.header.alg, after.header.alg]).toStrictEqual(['Ed25519', 'ES256'])
  })

  it('sign no receipt with a time of issue before their publication', async () => {
    const first = await createTestCountersign({ receipts: undefined })
    const { storage, clock, encryptionKeys, jwtKeys } = first
    const { confirmation, user } = await approved(first)
    const actionType = 'payment_approval'
    const actionPayload = JSON.parse(JSON.stringify(validPayloads.payment_approval))
    const use = { confirmationId: confirmation.id, userId: user.user.id, actionType, actionPayload, consumedBy: 'payment 1' }
    expect(await first.countersign.confirmations.consume(use)).toMatchObject({ receipt: null })
    clock.advance(minutes(1))
    const withReceipts = await createTestCountersign({ storage, clock, encryptionKeys, jwtKeys })
    const { receipt } = await withReceipts.countersign.confirmations.consume(use)
    const { claims } = await open(withReceipts, receipt ?? '')
    expect(claims.iat).toBe(Math.floor(clock.now() / 1000))
  })

  it('sign the name of the host as the issuer if the host configured them after the approval', async () => {
    const { test, confirmation, receipt } = await approved(await createTestCountersign({ receipts: undefined }))
    await expect(receipt()).rejects.toMatchObject({ code: 'receipts_not_configured' })
    const { storage, clock, encryptionKeys, jwtKeys } = test
    const receipts = { keys: aReceiptKeyRing(), issuer }
    const withReceipts = await createTestCountersign({ storage, clock, encryptionKeys, jwtKeys, receipts })
    const exported = await withReceipts.countersign.receipts.export({ confirmationId: confirmation.id })
    const { claims, parts } = await open(withReceipts, exported)
    expect(JSON.parse(parts.statement?.text ?? '')).toMatchObject({ iss: null })
    expect(claims.iss).toBe(issuer)
  })

  it('sign at once, although a server whose clock is ahead has published them', async () => {
    const { test, receipt, clock } = await approved()
    clock.advance(minutes(1))
    await test.countersign.receipts.keys()
    const publishedAt = clock.now()
    clock.advance(-minutes(1))
    expect((await open(test, await receipt())).claims.iat).toBe(Math.floor(publishedAt / 1000))
  })

  it('are not published by a process that cannot decrypt the statement', async () => {
    const { first, clock } = await rotating()
    const { confirmation } = await approved(first)
    const { countersign } = await createTestCountersign({ storage: first.storage, clock })
    const receipt = countersign.receipts.export({ confirmationId: confirmation.id })
    await expect(receipt).rejects.toMatchObject({ name: 'FieldNotOpened' })
    expect(await first.storage.receiptKeys.all()).toStrictEqual([])
  })

  it('stop signing when they are retired, and stay published', async () => {
    const { first, second, clock } = await rotating()
    const rotated = await second()
    const { receipt } = await approved(rotated)
    const old = await receipt()
    const { kid } = (await open(rotated, old)).header
    await rotated.countersign.receipts.retireKey({ kid })
    expect(rotated.logger.entries.at(-1)).toEqual({ level: 'info', event: 'receipt_key_retired', fields: { kid } })
    clock.advance(seconds(2))
    expect((await open(rotated, await receipt())).header.alg).toBe('Ed25519')
    expect((await open(rotated, old)).claims.iat).toBeLessThanOrEqual(Math.floor(clock.now() / 1000))
    await expect(rotated.countersign.receipts.retireKey({ kid })).rejects.toMatchObject({ code: 'receipt_key_ended' })
    await expect(first.countersign.receipts.retireKey({ kid: 'none' })).rejects.toMatchObject({ code: 'receipt_key_not_found' })
  })

  it('stop signing in every process within a second when they are revoked', async () => {
    const { first, second, clock } = await rotating()
    const { receipt } = await approved(first)
    const { kid } = (await open(first, await receipt())).header
    const { countersign, logger } = await second()
    const revoked = await countersign.receipts.revokeKey({ kid, reason: 'stolen' })
    expect(logger.entries.at(-1)).toEqual({ level: 'info', event: 'receipt_key_revoked', fields: { kid } })
    expect(revoked).toMatchObject({ kid, revokedReason: 'stolen', revokedAt: clock.now() })
    clock.advance(seconds(1))
    await expect(receipt()).rejects.toMatchObject({ code: 'receipts_unavailable', kind: 'unavailable' })
  })

  it.each(['', 'a\nb', 'x'.repeat(201)])('can be revoked with a reason of plain text, but not with %j', async (reason) => {
    const { countersign } = await createTestCountersign()
    const [key] = await countersign.receipts.keys()
    const revoke = countersign.receipts.revokeKey({ kid: key?.kid ?? '', reason })
    await expect(revoke).rejects.toMatchObject({ kind: 'invalid' })
    const longest = countersign.receipts.revokeKey({ kid: key?.kid ?? '', reason: 'x'.repeat(200) })
    await expect(longest).resolves.not.toThrow()
  })

  it.each([
    ['no ring', { keys: {}, issuer }],
    ['an empty ring', { keys: { keys: [] }, issuer }],
    ['no URL', { keys: aReceiptKeyRing(), issuer: 'auth' }],
  ])('cannot be configured with %s', async (_, receipts) => {
    await expect(createTestCountersign({ receipts: receipts as never })).rejects.toThrow(/receipts/)
  })
})
