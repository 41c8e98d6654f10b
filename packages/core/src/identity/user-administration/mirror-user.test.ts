import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type MemoryDirectory, memoryDirectory } from '../../testing/memory-directory.ts'
import { testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { type UserDirectory, UserDirectoryMistake } from '../user-model/directory.ts'
import { UserChangedMeanwhile } from '../user-model/errors.ts'

let directory: MemoryDirectory
let test: TestCountersign
beforeEach(async () => {
  directory = memoryDirectory()
  test = await createTestCountersign({ users: directory })
})

const someone = (email: string) => ({ email, passwordHash: null, disabled: false })
const sync = (directoryId: string, within = test) => within.countersign.users.sync({ directoryId })

/** A directory with a delayed next answer. The callback runs in the meantime. */
const delaying = (meanwhile: () => Promise<unknown>): UserDirectory => {
  let isFirst = true
  return {
    ...directory,
    byId: async (id) => {
      const answer = await directory.byId(id)
      if (isFirst) {
        isFirst = false
        await meanwhile()
      }
      return answer
    },
  }
}

describe('an outdated answer of the directory', () => {
  it('does not replace a newer answer', async () => {
    const id = await directory.add(someone('ada@example.test'))
    await sync(id)
    await directory.change(id, { name: 'Ada' })
    const users = delaying(async () => {
      await directory.change(id, { disabled: true })
      await sync(id)
    })
    const late = await sync(id, await createTestCountersign({ ...test, users }))
    expect(late).toMatchObject({ name: 'Ada', disabledAt: test.clock.now() })
    expect(await test.countersign.users.find({ email: 'ada@example.test' })).toStrictEqual(late)
  })

  it('does not sign in a user whom the host has reported as disabled', async () => {
    const passwordHash = await cheapHasher().hash(testPassword)
    const id = await directory.add({ ...someone('ada@example.test'), passwordHash })
    await sync(id)
    const users = delaying(async () => {
      await directory.change(id, { disabled: true })
      await sync(id)
    })
    const { auth } = (await createTestCountersign({ ...test, users })).countersign
    const login = auth.login({ email: 'ada@example.test', password: testPassword })
    await expect(login).rejects.toThrow('Invalid email or password')
  })

  it('does not sign in a user by an old password', async () => {
    const passwordHash = await cheapHasher().hash(testPassword)
    const id = await directory.add({ ...someone('ada@example.test'), passwordHash })
    const users: UserDirectory = {
      ...directory,
      byEmail: async (email) => {
        const answer = await directory.byEmail(email)
        await directory.change(id, { passwordHash: await cheapHasher().hash('a password of tomorrow') })
        return answer
      },
    }
    const { auth } = (await createTestCountersign({ ...test, users })).countersign
    const login = auth.login({ email: 'ada@example.test', password: testPassword })
    await expect(login).rejects.toThrow('Invalid email or password')
  })
})

describe('the rows of the users of a directory', () => {
  it('are created once by any number of concurrent look-ups', async () => {
    const id = await directory.add(someone('ada@example.test'))
    const profiles = await Promise.all(Array.from({ length: 20 }, () => sync(id)))
    expect(new Set(profiles.map((profile) => profile.id)).size).toBe(1)
  })

  it('equal the directory after any number of concurrent look-ups', async () => {
    const id = await directory.add(someone('ada@example.test'))
    await sync(id)
    await directory.change(id, { name: 'Ada' })
    const profiles = await Promise.all(Array.from({ length: 20 }, () => sync(id)))
    expect(new Set(profiles.map(({ name }) => name))).toStrictEqual(new Set(['Ada']))
  })

  it("get each other's email if the users exchange their emails", async () => {
    const one = await directory.add(someone('one@example.test'))
    const other = await directory.add(someone('other@example.test'))
    const [first, second] = [await sync(one), await sync(other)]
    await directory.change(one, { email: 'other@example.test' })
    await directory.change(other, { email: 'one@example.test' })
    expect(await sync(one)).toMatchObject({ id: first.id, email: 'other@example.test' })
    expect(await sync(other)).toMatchObject({ id: second.id, email: 'one@example.test' })
  })

  it('free the email of a removed user for its next owner', async () => {
    const gone = await sync(await directory.add(someone('ada@example.test')))
    await directory.remove(gone.directoryId ?? '')
    const next = await sync(await directory.add(someone('ada@example.test')))
    expect(next.id).not.toBe(gone.id)
    expect(next.email).toBe('ada@example.test')
    expect(await test.storage.users.byId(gone.id)).toMatchObject({ email: `user-${gone.id}@directory.invalid` })
    expect(await sync(gone.directoryId ?? '')).toMatchObject({ id: gone.id, disabledAt: test.clock.now() })
  })

  it('are not created for two users with one email', async () => {
    await sync(await directory.add(someone('ada@example.test')))
    const twin = await directory.add(someone('ADA@example.test'))
    await expect(sync(twin)).rejects.toThrow(new UserDirectoryMistake('the user directory has two users with one email'))
  })

  it('never replace a user of the storage', async () => {
    const { storage } = test
    const before = (await createTestCountersign({ storage })).countersign
    const { id } = await before.users.create({ email: 'ada@example.test', password: testPassword })
    await expect(sync(await directory.add(someone('ada@example.test')))).rejects.toThrow(UserDirectoryMistake)
    expect(await storage.users.byId(id)).toMatchObject({ directoryId: null, email: 'ada@example.test' })
  })

  it('fail with an error if concurrent changes always win', async () => {
    const id = await directory.add(someone('ada@example.test'))
    await sync(id)
    let round = 0
    const users: UserDirectory = {
      ...directory,
      byId: async (given) => {
        const answer = await directory.byId(given)
        round += 1
        await directory.change(id, { name: `Name ${round}` })
        await sync(id)
        return answer && { ...answer, name: 'Late' }
      },
    }
    await expect(sync(id, await createTestCountersign({ ...test, users }))).rejects.toStrictEqual(new UserChangedMeanwhile())
  })
})

it('permissions that a directory grants or revokes are logged, with the user who gained or lost them', async () => {
  const id = await directory.add({ ...someone('ada@example.test'), permissions: ['a.read'] })
  await sync(id)
  await directory.change(id, { permissions: ['b.read'] })
  await sync(id)
  const fields = { userId: 1, by: 'directory' }
  expect(test.logger.entries.filter(({ event }) => event.startsWith('permissions_'))).toMatchObject([
    { event: 'permissions_granted', fields: { ...fields, permissions: ['a.read'] } },
    { event: 'permissions_granted', fields: { ...fields, permissions: ['b.read'] } },
    { event: 'permissions_revoked', fields: { ...fields, permissions: ['a.read'] } },
  ])
})
