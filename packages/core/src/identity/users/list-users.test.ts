import { expect, it } from 'vitest'
import { aNewUser } from '../../testing/builders.ts'
import { createTestCountersign } from '../../testing/create-test-countersign.ts'
import type { UserProfile } from './user.ts'

const all = async ({ countersign }: ReturnType<typeof createTestCountersign>): Promise<UserProfile[]> => {
  const users: UserProfile[] = []
  for await (const user of countersign.users.list()) users.push(user)
  return users
}

it('lists nobody where there is nobody', async () => {
  expect(await all(createTestCountersign())).toStrictEqual([])
})

it.each([500, 501])('lists all of %i users by rising id, disabled ones included, without their hashes', async (count) => {
  const test = createTestCountersign()
  for (let made = 0; made < count; made += 1) await test.storage.users.create(aNewUser({ passwordHash: 'canary' }))
  const [first] = await all(test)
  await test.countersign.users.disable({ email: first?.email ?? '' })
  const users = await all(test)
  expect(users).toHaveLength(count)
  expect(users.map(({ id }) => id)).toStrictEqual(Array.from({ length: count }, (_, index) => index + 1))
  expect(JSON.stringify(users)).not.toContain('canary')
})

it('reads no further than it is asked', async () => {
  const test = createTestCountersign()
  for (let made = 0; made < 3; made += 1) await test.storage.users.create(aNewUser())
  const listing = test.countersign.users.list()
  expect((await listing.next()).value).toMatchObject({ id: 1 })
  await listing.return(undefined)
  expect(await listing.next()).toStrictEqual({ value: undefined, done: true })
})
