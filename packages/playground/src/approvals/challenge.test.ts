import canonicalize from 'canonicalize'
import { describe, expect, it } from 'vitest'
import { toBase64 } from '../shared/base64.ts'
import { challengeOf, isGenuine, type Pending } from './challenge.ts'

const nonce = Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256)
const payment = { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop' }
const display = { en: { direction: 'ltr', title: 'Payment', lines: [] } }

/** Makes a pending confirmation, as the service lists it, with a challenge that fits. */
const shown = async (changes: object = {}, domain = 'countersign.confirmation.v1'): Promise<Pending> => {
  const action = {
    confirmationId: 'conf_01900000-0000-7000-8000-000000000001',
    createdAt: '2026-01-01T12:00:00.000Z',
    expiresAt: '2026-01-01T12:05:00.000Z',
    actionType: 'payment_approval',
    actionTypeVersion: null,
    actionPayload: payment,
    display,
    ...changes,
  }
  const subject = { id: 7, externalId: null }
  const requester = { kind: 'user', ...subject, name: 'Ada' }
  const statement = { iss: null, scope: null, subject, requester, onBehalfOf: null, context: null, operation: null, ...action }
  const bytes = await new Blob([`${domain}\0`, nonce, canonicalize(statement) ?? '']).arrayBuffer()
  const challenge = toBase64(await crypto.subtle.digest('SHA-512', bytes))
  return { ...action, statement, nonce: toBase64(nonce), challenge } as unknown as Pending
}

describe('the challenge of the action that a phone shows', () => {
  it.each<Readonly<Record<string, unknown>>>([
    payment,
    { recipient: 'ł €\u2028 🦉 "\\\r\n\u0007', currency: 'EUR', amount: 0.1 },
    { '10': 1, '9': 2, amount: 1e21, z: -0, a: 1e-7, nested: { b: [null, true, 'x', []], a: {} } },
    JSON.parse('{"amount":12345678901234567890,"\ud83d\ude00":1,"\ufb33":2,"\u20ac":3,"\\r":4}'),
  ])('equals the challenge of the service: %j', async (actionPayload) => {
    const pending = await shown({ actionPayload })
    expect(await challengeOf(pending)).toBe(pending.challenge)
    expect(await isGenuine(pending)).toBe(true)
  })

  it.each<object>([
    { actionPayload: { ...payment, amount: 12_500 } },
    { actionPayload: { ...payment, description: '' } },
    { actionType: 'purchase_order' },
    { confirmationId: 'conf_01900000-0000-7000-8000-000000000002' },
    { expiresAt: '2026-01-01T12:05:00.001Z' },
    { display: { en: { ...display.en, title: 'Statement' } } },
    { display: null },
    { nonce: toBase64(nonce.toReversed()) },
    { challenge: toBase64(nonce) },
  ])('differs if anything changes on the way: %j', async (change) => {
    expect(await isGenuine({ ...(await shown()), ...change })).toBe(false)
  })
})

describe('a vote for a request of several people', () => {
  const approval = { id: 'appr_1', policy: { version: 1, band: 0, digest: 'A' }, count: 2 }
  const requester = { kind: 'user', id: 8, externalId: null, name: 'Eve' }
  const vote = { approval, requester }

  it('has a purpose of its own', async () => {
    expect(await isGenuine(await shown(vote, 'countersign.approval.v1'))).toBe(true)
    expect(await isGenuine(await shown(vote))).toBe(false)
    expect(await isGenuine(await shown({}, 'countersign.approval.v1'))).toBe(false)
  })

  it('is never one of the approver’s own requests', async () => {
    expect(await isGenuine(await shown({ approval }, 'countersign.approval.v1'))).toBe(false)
  })
})
