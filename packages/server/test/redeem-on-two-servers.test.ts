import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { expect, it, onTestFinished } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openStorage } from '../src/open-storage.ts'
import { concurrently, statusesOf } from '../src/testing/race.ts'
import { aPayment, approvePayment, serviceToken, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp } from '../src/testing/test-app.ts'

/** Two servers with the same keys on one PostgreSQL database, each with connections of its own. */
const twoServers = async () => {
  const { url, drop } = await createPostgresDatabase()
  const storages = await Promise.all([openStorage(url), openStorage(url)])
  onTestFinished(async () => {
    for (const storage of storages) await storage.close()
    await drop()
  })
  await storages[0].migrate()
  const receipts = { keys: parseReceiptKeyRing(generateReceiptKeyRing()), issuer: 'https://auth.example.com' }
  const one = await createTestApp({ storage: storages[0], receipts })
  const { jwtKeys, encryptionKeys, clock } = one
  const other = await createTestApp({ storage: storages[1], jwtKeys, encryptionKeys, clock, receipts })
  return [one, other] as const
}

it('exactly one of 100 redemptions at two servers succeeds; those with the same key get the same answer', async () => {
  const servers = await twoServers()
  const [one] = servers
  const user = await signInWithDevice(one)
  const token = await serviceToken(one)
  const action = { userId: user.user.id, actionType: 'payment_approval', actionPayload: aPayment }
  const redeem = (confirmationId: string, index: number, more: object = {}) =>
    servers[index % 2]?.call('services.redeem', { confirmationId, ...action, ...more }, { token }) ??
    Promise.reject(new Error('no server'))

  const first = await approvePayment(one, user)
  const answers = await concurrently(100, (index) => redeem(first, index, { idempotencyKey: `key-${index}` }))
  expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })

  const second = await approvePayment(one, user)
  const same = await concurrently(100, (index) => redeem(second, index, { idempotencyKey: 'key' }))
  expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(same[0]?.status).toBe(200)
})
