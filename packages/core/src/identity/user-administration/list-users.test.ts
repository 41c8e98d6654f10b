import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it, vi } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { aNewUser } from '../../testing/builders.ts'
import type { UserProfile } from '../records/user.ts'
import type { ListUsers } from './list-users.ts'

const all = async ({ countersign }: Awaited<ReturnType<typeof createTestCountersign>>): Promise<UserProfile[]> => {
  const users: UserProfile[] = []
  for await (const user of countersign.users.list()) users.push(user)
  return users
}

it('the list is empty if there are no users', async () => {
  expect(await all(await createTestCountersign())).toStrictEqual([])
})

it.each([500, 501])(
  'the list has all of %i users by ascending id, including disabled users, without their password hashes',
  async (count) => {
    const test = await createTestCountersign()
    for (let made = 0; made < count; made += 1) await test.storage.users.create([aNewUser({ passwordHash: 'canary' })])
    const [first] = await all(test)
    await test.countersign.users.disable({ email: first?.email ?? '' })
    const users = await all(test)
    expect(users).toHaveLength(count)
    expect(users.map(({ id }) => id)).toStrictEqual(Array.from({ length: count }, (_, index) => index + 1))
    expect(JSON.stringify(users)).not.toContain('canary')
  },
)

it('the list reads no page after a page that is not full', async () => {
  const test = await createTestCountersign()
  await test.storage.users.create([aNewUser()])
  const list = vi.spyOn(test.storage.users, 'list')
  expect(await all(test)).toHaveLength(1)
  expect(list).toHaveBeenCalledTimes(1)
})

it('the list reads no more pages than the caller consumes', async () => {
  const test = await createTestCountersign()
  for (let made = 0; made < 3; made += 1) await test.storage.users.create([aNewUser()])
  const listing = test.countersign.users.list()
  expect((await listing.next()).value).toMatchObject({ id: 1 })
  await listing.return(undefined)
  expect(await listing.next()).toStrictEqual({ value: undefined, done: true })
})

it('the list and the count follow conditions, a position and a limit', async () => {
  const { countersign } = await createTestCountersign()
  for (const name of ['Ada', 'Grace', 'Adam']) await countersign.users.create({ email: `${name}@example.com`, name })
  const names = async (input: ListUsers) => {
    const found: string[] = []
    for await (const { name } of countersign.users.list(input)) found.push(name)
    return found
  }
  expect(await names({ search: 'ADA' })).toEqual(['Ada', 'Adam'])
  expect(await names({ search: 'ada', after: 1 })).toEqual(['Adam'])
  expect(await names({ limit: 2 })).toEqual(['Ada', 'Grace'])
  expect([await names({ limit: 0 }), await names({ noTrustedDevice: true, limit: 1 })]).toEqual([[], ['Ada']])
  expect([await countersign.users.count({}), await countersign.users.count({ search: 'grace' })]).toEqual([3, 1])
  expect(() => countersign.users.list({ limit: -1 })).toThrow(new Invalid({ limit: 'must be a whole number from 0' }))
  await expect(countersign.users.count({ search: 5 } as never)).rejects.toThrow(Invalid)
})
