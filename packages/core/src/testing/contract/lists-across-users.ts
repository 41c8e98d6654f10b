import { describe, expect, it } from 'vitest'
import { days, type Instant } from '../../shared/clock.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { FullStorage } from '../../storage.ts'
import { givenConfirmation, givenDevice, givenSession, givenUser } from './given.ts'

/** Returns a time that no other test uses, because the lists have the rows of all tests. */
let windows = 0
const ownWindow = (): Instant => {
  windows += 1
  return Date.now() + days(20_000) + windows * days(1)
}

/** A row of a list, and how its store lists it. */
interface Listed {
  readonly id: string
  readonly userId: number
  readonly createdAt: Instant
}
type Read = (page: PageQuery) => Promise<readonly Listed[]>
type Create = (userId: number, createdAt: Instant) => Promise<Listed>

/** Declares tests of the lists of sessions, devices and confirmations across users. */
export const listsAcrossUsersContract = (storage: () => FullStorage): void => {
  const lists: Readonly<Record<string, { readonly create: Create; readonly read: (now: Instant) => Read }>> = {
    sessions: {
      create: (userId, createdAt) => givenSession(storage(), { userId, createdAt, refreshExpiresAt: createdAt + days(1) }),
      read: (now) => (page) => storage().sessions.page({ ...page, ended: false, now }),
    },
    devices: {
      create: (userId, createdAt) => givenDevice(storage(), { userId, createdAt }),
      read: () => (page) => storage().devices.page({ ...page, removed: false }),
    },
    confirmations: {
      create: (userId, createdAt) => givenConfirmation(storage(), { userId, createdAt }),
      read: (now) => (page) => storage().confirmations.page({ ...page, now }),
    },
  }

  describe.each(Object.entries(lists))('the list of %s across users', (_, { create, read }) => {
    /** Four rows of two users, newest first. The two in the middle were created at the same time. */
    const given = async () => {
      const start = ownWindow()
      const [ada, bob] = [await givenUser(storage()), await givenUser(storage())]
      const oldest = await create(ada.id, start)
      const middle = [await create(bob.id, start + 5), await create(ada.id, start + 5)]
      const newest = await create(bob.id, start + 9)
      const [first, second] = middle.toSorted((a, b) => (a.id < b.id ? 1 : -1)) as [Listed, Listed]
      const list = (page: Partial<PageQuery>) => read(start)({ since: start, before: start + 10, limit: 100, ...page })
      return { start, ada, bob, rows: [newest, first, second, oldest], list }
    }
    const idsOf = (rows: readonly Listed[]) => rows.map(({ id }) => id)

    it('has the rows of all users, newest first, then by id, and continues after a given position', async () => {
      const { start, rows, list } = await given()
      expect(await list({})).toMatchObject(rows)
      expect(idsOf(await list({}))).toEqual(idsOf(rows))
      const seen: Listed[] = []
      for (;;) {
        const page = await list({ after: seen.at(-1), limit: 1 })
        seen.push(...page)
        if (page.length === 0) break
      }
      expect(idsOf(seen)).toEqual(idsOf(rows))
      expect(idsOf(await list({ after: rows[0], limit: 2 }))).toEqual(idsOf(rows.slice(1, 3)))
      expect(idsOf(await list({ after: { createdAt: start + 7, id: 'gone' } }))).toEqual(idsOf(rows.slice(1)))
      expect(await list({ after: { createdAt: start, id: '' } })).toEqual([])
    })

    it('has only the rows of one user, or those of a period, if asked for', async () => {
      const { start, ada, bob, rows, list } = await given()
      for (const { id } of [ada, bob]) {
        expect(idsOf(await list({ userId: id }))).toEqual(idsOf(rows.filter(({ userId }) => userId === id)))
      }
      expect(await list({ userId: 0 })).toEqual([])
      expect(idsOf(await list({ since: start + 5 }))).toEqual(idsOf(rows.slice(0, 3)))
      expect(idsOf(await list({ before: start + 5 }))).toEqual(idsOf(rows.slice(3)))
      expect(idsOf(await list({ since: start + 5, before: start + 9, userId: ada.id }))).toHaveLength(1)
    })
  })
}
