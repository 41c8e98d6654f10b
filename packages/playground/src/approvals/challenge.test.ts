import { confirmationChallenge } from '@countersign/core'
import canonicalize from 'canonicalize'
import { describe, expect, it } from 'vitest'
import { toBase64 } from '../shared/base64.ts'
import { challengeOf, isGenuine, type Pending } from './challenge.ts'

const nonce = Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256)
const payment = { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop' }

/** Makes a pending confirmation, as the service lists it. */
const shown = (actionPayload: Readonly<Record<string, unknown>> = payment): Pending => {
  const statement = {
    confirmationId: 'conf_01900000-0000-7000-8000-000000000001',
    userId: 7,
    actionType: 'payment_approval',
    actionPayload,
    expiresAt: '2026-01-01T12:05:00.000Z',
  } as const
  const challenge = confirmationChallenge(nonce, statement)
  return { ...statement, challenge, nonce: toBase64(nonce), createdAt: '2026-01-01T12:00:00.000Z' } as Pending
}

describe('the challenge of the action that a phone shows', () => {
  it.each<Readonly<Record<string, unknown>>>([
    payment,
    { recipient: 'ł €\u2028 🦉 "\\\r\n\u0007', currency: 'EUR', amount: 0.1 },
    { '10': 1, '9': 2, amount: 1e21, z: -0, a: 1e-7, nested: { b: [null, true, 'x', []], a: {} } },
    JSON.parse('{"amount":12345678901234567890,"\ud83d\ude00":1,"\ufb33":2,"\u20ac":3,"\\r":4}'),
  ])('equals the challenge of the service: %j', async (payload) => {
    const pending = shown(payload)
    expect(await challengeOf(pending)).toBe(pending.challenge)
    expect(await isGenuine(pending)).toBe(true)
  })

  it.each<Partial<Pending>>([
    { actionPayload: { ...payment, amount: 12_500 } },
    { actionPayload: { ...payment, recipient: 'Ada\u2019s workshop' } },
    { actionPayload: { ...payment, description: '' } },
    { actionType: 'purchase_order' },
    { userId: 8 },
    { confirmationId: 'conf_01900000-0000-7000-8000-000000000002' },
    { expiresAt: '2026-01-01T12:05:00.001Z' },
    { nonce: toBase64(nonce.toReversed()) },
    { challenge: toBase64(nonce) },
  ])('differs if anything changes on the way: %j', async (change) => {
    expect(await isGenuine({ ...shown(), ...change } as Pending)).toBe(false)
  })
})

/** Makes the challenge of any statement, as a dishonest operator can. */
const committed = async (domain: string, statement: object): Promise<Pending> => {
  const { challenge: _, domain: __, ...rest } = shown()
  const all = { ...rest, ...statement } as Pending
  const { confirmationId, userId, actionType, actionPayload, expiresAt } = all
  const text = canonicalize({ confirmationId, userId, actionType, actionPayload, expiresAt, ...statement }) ?? ''
  const bytes = await new Blob([`${domain}\0`, nonce, text]).arrayBuffer()
  return { ...all, domain, challenge: toBase64(await crypto.subtle.digest('SHA-512', bytes)) }
}

describe('the challenge of a registered action type', () => {
  const words = { en: { title: 'Wire', lines: [{ label: 'To', value: 'Ada' }] }, de: { title: 'Überweisung', lines: [] } }
  const wire = { actionType: 'wire_transfer', actionTypeVersion: '1.0.0', display: words }
  const domain = 'countersign.confirmation.v2'

  it('commits to the words and the version', async () => {
    const pending = await committed(domain, wire)
    expect(await isGenuine(pending)).toBe(true)
    for (const change of [
      { display: { ...words, en: { ...words.en, title: 'Statement' } } },
      { display: { en: words.en } },
      { display: null },
      { actionTypeVersion: '1.0.1' },
      { actionTypeVersion: null },
      { actionTypeVersion: null, display: null },
      { domain: 'countersign.confirmation.v1' },
    ]) {
      expect(await isGenuine({ ...pending, ...change })).toBe(false)
    }
  })

  it('shows no words for a type of the contract, nor beside a statement of version 1', async () => {
    expect(await isGenuine(await committed(domain, { ...wire, actionType: 'payment_approval' }))).toBe(false)
    expect(await isGenuine({ ...shown(), display: words })).toBe(false)
    expect(await isGenuine({ ...shown(), display: null })).toBe(true)
  })

  it('shows no request that the signature would not commit to, and no request of the approver', async () => {
    const request = { approvalId: 'appr_1', requestedBy: 8, count: 2 }
    for (const more of [request, { count: 2 }, { requestedBy: 8 }, { approvalId: 'appr_1' }]) {
      expect(await isGenuine({ ...shown(), ...more })).toBe(false)
    }
    const { userId } = shown()
    expect(await isGenuine(await committed('countersign.approval.v1', { ...request, requestedBy: userId }))).toBe(false)
    const { count: _, ...incomplete } = request
    expect(await isGenuine(await committed('countersign.approval.v1', incomplete))).toBe(false)
  })

  it('may belong to an approval by several people', async () => {
    const request = { approvalId: 'appr_1', requestedBy: 8, count: 2 }
    for (const more of [{}, wire]) {
      const pending = await committed('countersign.approval.v1', { ...more, ...request })
      expect(await isGenuine(pending)).toBe(true)
      expect(await isGenuine({ ...pending, count: 1 })).toBe(false)
      expect(await isGenuine({ ...pending, domain: 'countersign.confirmation.v1' })).toBe(false)
    }
  })
})
