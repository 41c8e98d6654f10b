import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { aDigestKey } from '../../testing/a-digest-key.ts'
import { aNewUser } from '../../testing/builders.ts'
import { hashLike } from './hash-like.ts'

const emails = Array.from({ length: 400 }, (_, index) => `unknown-${index}@example.test`)

const given = async (...hashes: readonly (string | null)[]) => {
  const storage = await createTestStorage()
  for (const passwordHash of hashes) await storage.users.create([aNewUser({ passwordHash })])
  return storage
}

it('hash formats are imitated in proportion to the accounts that have them, the same for one email in every process', async () => {
  const storage = await given('argon2id', 'bcrypt', 'bcrypt', null)
  const key = aDigestKey()
  const [one, other] = [hashLike(storage, key), hashLike(storage, key)]
  const drawn = await Promise.all(emails.map((email) => one(email)))
  expect(await Promise.all(emails.map((email) => other(email)))).toStrictEqual(drawn)
  const share = (hash: string | null) => drawn.filter((one) => one === hash).length / drawn.length
  expect(share('bcrypt')).toBeGreaterThan(0.35)
  expect(share('bcrypt')).toBeLessThan(0.65)
  expect(share('argon2id')).toBeGreaterThan(0.1)
  expect(share(null)).toBeGreaterThan(0.1)
})

it('the imitated formats follow new accounts and hashes that become stronger', async () => {
  const storage = await given('argon2id')
  const like = hashLike(storage, aDigestKey())
  expect(new Set(await Promise.all(emails.map((email) => like(email))))).toStrictEqual(new Set(['argon2id']))
  for (let user = 0; user < 30; user += 1) await storage.users.create([aNewUser({ passwordHash: 'bcrypt' })])
  // The first call after the change learns of the new accounts.
  await like('any@example.test')
  const drawn = await Promise.all(emails.map((email) => like(email)))
  expect(drawn.filter((hash) => hash === 'bcrypt').length).toBeGreaterThan(330)
  for (const { id } of await storage.users.list({ afterId: 0, limit: 100 }))
    await storage.users.upgradePasswordHash(id, 'bcrypt', 'argon2id')
  expect(new Set(await Promise.all(emails.map((email) => like(email))))).toStrictEqual(new Set(['argon2id']))
})

it('no hash is imitated while there are no accounts', async () => {
  expect(await hashLike(await given(), aDigestKey())('any@example.test')).toBeNull()
})
