import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../approvals/confirmations/confirmation.ts'
import { days, type Instant, minutes } from '../../shared/clock.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { FullStorage } from '../../storage.ts'
import { anEvidence } from '../builders.ts'
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

    it('has the rows of all users, newest first, and by id where the times are equal', async () => {
      const { rows, list } = await given()
      expect(await list({})).toMatchObject(rows)
      expect(idsOf(await list({}))).toEqual(idsOf(rows))
    })

    it('goes on after a position, without gaps and repetitions', async () => {
      const { rows, list } = await given()
      const seen: Listed[] = []
      for (;;) {
        const page = await list({ after: seen.at(-1), limit: 1 })
        seen.push(...page)
        if (page.length === 0) break
      }
      expect(idsOf(seen)).toEqual(idsOf(rows))
      expect(idsOf(await list({ after: rows[0], limit: 2 }))).toEqual(idsOf(rows.slice(1, 3)))
    })

    it('goes on after a position whose row is gone', async () => {
      const { start, rows, list } = await given()
      expect(idsOf(await list({ after: { createdAt: start + 7, id: 'gone' } }))).toEqual(idsOf(rows.slice(1)))
      expect(await list({ after: { createdAt: start, id: '' } })).toEqual([])
    })

    it('has the rows of one user, or created within a time', async () => {
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

  it('sessions are listed as live until they end or expire, and as ended after their end', async () => {
    const createdAt = ownWindow()
    const { id: userId } = await givenUser(storage())
    const refreshExpiresAt = createdAt + minutes(1)
    const live = await givenSession(storage(), { userId, createdAt, refreshExpiresAt })
    const ended = await givenSession(storage(), { userId, createdAt, refreshExpiresAt })
    await storage().sessions.end(ended.id, 'revoked', createdAt)
    const list = (isEnded: boolean, now: Instant) =>
      storage().sessions.page({ since: createdAt, before: createdAt + 1, limit: 100, ended: isEnded, now })
    expect(await list(false, refreshExpiresAt - 1)).toStrictEqual([live])
    expect(await list(false, refreshExpiresAt)).toStrictEqual([])
    expect(await list(true, refreshExpiresAt)).toStrictEqual([{ ...ended, endedAt: createdAt, endReason: 'revoked' }])
  })

  it('devices are listed as active until their removal, and by type', async () => {
    const createdAt = ownWindow()
    const { id: userId } = await givenUser(storage())
    const phone = await givenDevice(storage(), { userId, createdAt: createdAt + 1, deviceType: 'mobile' })
    const tablet = await givenDevice(storage(), { userId, createdAt, deviceType: 'tablet' })
    const lost = await givenDevice(storage(), { userId, createdAt, deviceType: 'tablet', deviceFingerprint: 'lost' })
    await storage().devices.remove(userId, lost.id, createdAt + 2)
    const page = { since: createdAt, before: createdAt + 2, limit: 100 }
    const { devices } = storage()
    const active = [phone, tablet].map((device) => ({ ...device, removedAt: null }))
    expect(await devices.page({ ...page, removed: false })).toStrictEqual(active)
    expect(await devices.page({ ...page, removed: false, deviceType: 'tablet' })).toStrictEqual(active.slice(1))
    const removed = await devices.page({ ...page, removed: true })
    expect(removed).toMatchObject([{ id: lost.id, pushToken: null, removedAt: createdAt + 2 }])
    expect(await devices.page({ ...page, removed: true, deviceType: 'mobile' })).toStrictEqual([])
  })

  it('confirmations are listed by their status at the time of the list, and by type', async () => {
    const createdAt = ownWindow()
    const { id: userId } = await givenUser(storage())
    const device = await givenDevice(storage(), { userId })
    const { id: sessionId } = await givenSession(storage(), { userId })
    const create = (given: Partial<Confirmation>) => givenConfirmation(storage(), { userId, createdAt, ...given })
    const pending = await create({ createdAt: createdAt + 3, expiresAt: createdAt + 100 })
    const expired = await create({ createdAt: createdAt + 2, expiresAt: createdAt + 50, actionType: 'user_access' })
    const rejected = await create({ createdAt: createdAt + 1 })
    const approved = await create({})
    const settled = { userId, deviceId: device.id, now: createdAt }
    const { confirmations } = storage()
    await confirmations.approve({ ...settled, id: approved.id, sessionId, evidence: anEvidence() })
    await confirmations.settle({ ...settled, id: rejected.id, outcome: 'rejected', rejectReason: null })

    const list = async (query: { status?: Confirmation['status'] | 'expired'; actionType?: string; userId?: number }) =>
      (await confirmations.page({ since: createdAt, before: createdAt + 4, limit: 100, now: createdAt + 50, ...query })).map(
        ({ id }) => id,
      )
    const all = [pending, expired, rejected, approved].map(({ id }) => id)
    for (const of of [{}, { userId }]) {
      expect(await list(of)).toEqual(all)
      expect(await list({ ...of, status: 'pending' })).toEqual([pending.id])
      expect(await list({ ...of, status: 'expired' })).toEqual([expired.id])
      expect(await list({ ...of, status: 'rejected' })).toEqual([rejected.id])
      expect(await list({ ...of, status: 'approved' })).toEqual([approved.id])
      expect(await list({ ...of, actionType: 'user_access' })).toEqual([expired.id])
      expect(await list({ ...of, actionType: 'user_access', status: 'approved' })).toEqual([])
    }
  })
}
