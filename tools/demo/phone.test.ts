import { randomBytes, verify } from 'node:crypto'
import { confirmationChallenge } from '@countersign/core'
import { expect, test } from 'vitest'
import { createPhone, signConfirmation } from './phone.ts'

const nonce = randomBytes(64)
const statement = {
  confirmationId: 'conf_1',
  userId: 1,
  actionType: 'payment_approval',
  actionPayload: { amount: 1250, currency: 'EUR', recipient: 'Ada' },
  expiresAt: '2026-01-01T00:05:00.000Z',
} as const

const pending = {
  ...statement,
  createdAt: '2026-01-01T00:00:00.000Z',
  nonce: nonce.toString('base64'),
  challenge: confirmationChallenge(nonce, statement),
}

test('the phone signs a challenge that belongs to what it shows', () => {
  const phone = createPhone()
  const signature = Buffer.from(signConfirmation(phone, pending), 'base64')
  expect(verify('sha256', Buffer.from(pending.challenge), phone.publicKey, signature)).toBe(true)
})

test('the phone refuses to sign where another payment is shown than the challenge was made for', () => {
  const swapped = { ...pending, actionPayload: { ...pending.actionPayload, recipient: 'Eve' } }
  expect(() => signConfirmation(createPhone(), swapped)).toThrow('the phone refuses to sign it')
})
