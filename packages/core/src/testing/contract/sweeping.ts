import { describe, expect, it } from 'vitest'
import type { RateLimit } from '../../identity/rate-limits/store.ts'
import type { Session } from '../../identity/records/session.ts'
import { days, hours, minutes } from '../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'
import type { FullStorage } from '../../storage.ts'
import { aChallenge, aServiceToken } from '../builders.ts'
import { givenConfirmation, givenDevice, givenPasskey, givenSession, givenUser } from './given.ts'

/** A time long before the rows of other tests of a shared database, so that sweeping deletes none of them. */
const then = Date.UTC(2001, 0, 1)
const aName = () => `name-${randomUuid(systemRandom)}`

export const sweepingContract = (storage: () => FullStorage): void => {
  describe('sweeping', () => {
    it('deletes challenges without a user when they have expired, and no others', async () => {
      const { challenges } = storage()
      const expired = aChallenge('device_login', { createdAt: then, expiresAt: then + 1000 })
      const current = aChallenge('device_login', { createdAt: then, expiresAt: then + 1001 })
      await challenges.issue(expired)
      await challenges.issue(current)
      expect((await storage().sweep(then + 1000)).challenges).toBeGreaterThanOrEqual(1)
      expect(await challenges.consume(expired.id, 'device_login', null, then)).toBeUndefined()
      expect(await challenges.consume(current.id, 'device_login', null, then)).toStrictEqual(current)
    })

    it('reports after each step what it deleted, and stops if the listener throws', async () => {
      const issue = async (count: number) => {
        for (let made = 0; made < count; made += 1)
          await storage().challenges.issue(aChallenge('device_login', { createdAt: then, expiresAt: then + 1000 }))
      }
      await issue(3)
      const said: Record<string, number> = {}
      const rows = await storage().sweep(then + 1000, {}, (kind, count) => {
        said[kind] = (said[kind] ?? 0) + count
      })
      expect(rows.challenges).toBeGreaterThanOrEqual(3)
      expect(said).toStrictEqual(rows)
      await issue(1)
      const stopped = new Error('stopped')
      const stop = () => {
        throw stopped
      }
      await expect(storage().sweep(then + 1000, {}, stop)).rejects.toBe(stopped)
    })

    it('deletes the challenges and the user handle of an erased user, and those of no other user', async () => {
      const { challenges, passkeys, users } = storage()
      const [erased, other] = [await givenUser(storage(), { createdAt: then }), await givenUser(storage(), { createdAt: then })]
      const ids = new Map<number, string>()
      // A request at the same time as the erasure can leave such rows.
      await users.erase(erased.id, then)
      for (const { id: userId } of [erased, other]) {
        const challenge = aChallenge('device_registration', { userId, createdAt: then, expiresAt: then + hours(1) })
        await challenges.issue(challenge)
        ids.set(userId, challenge.id)
        await passkeys.userHandle(userId, `handle of ${userId}`)
      }
      const swept = await storage().sweep(then)
      expect(swept.userHandles).toBeGreaterThanOrEqual(1)
      expect(swept.challenges).toBeGreaterThanOrEqual(1)
      const known = ({ id }: { readonly id: number }) => challenges.wasIssued(ids.get(id) ?? '', 'device_registration', id)
      expect([await known(erased), await known(other)]).toStrictEqual([false, true])
      expect(await passkeys.userHandle(other.id, 'another handle')).toBe(`handle of ${other.id}`)
      expect(await passkeys.userHandle(erased.id, 'another handle')).toBe('another handle')
      await storage().sweep(then)
    })

    it('deletes sessions a day after they ended or could last be refreshed', async () => {
      const { sessions } = storage()
      const user = await givenUser(storage(), { createdAt: then })
      const open = (overrides: Partial<Session>) => givenSession(storage(), { userId: user.id, createdAt: then, ...overrides })
      const expired = await open({ refreshExpiresAt: then + minutes(1) })
      const ended = await open({})
      await sessions.end(ended.id, 'logout', then + minutes(1))
      const live = await open({ refreshExpiresAt: then + days(30) })
      await storage().sweep(then + hours(24))
      for (const { id } of [expired, ended, live]) expect(await sessions.byId(id)).toBeDefined()
      expect((await storage().sweep(then + hours(24) + minutes(2))).sessions).toBeGreaterThanOrEqual(2)
      expect(await sessions.byId(expired.id)).toBeUndefined()
      expect(await sessions.byId(ended.id)).toBeUndefined()
      expect(await sessions.byId(live.id)).toStrictEqual(live)
      expect(await sessions.status(live.id)).toMatchObject({ userId: user.id })
      expect(await sessions.status(ended.id)).toBeUndefined()
    })

    it('deletes known clients and ceilings when they have no more effect', async () => {
      const { loginFailures } = storage()
      const [brief, lasting, account] = [aName(), aName(), aName()]
      const ceiling = { burst: 2, refillMs: minutes(1) }
      await loginFailures.succeed(brief, then, then + hours(30))
      await loginFailures.remember(lasting, then, then + days(60))
      await loginFailures.takeFromCeiling(account, ceiling, then)
      const read = async (client: string) => {
        const { knownUntil, ceilingFullAt } = await loginFailures.of({ account, client })
        return [knownUntil, ceilingFullAt]
      }
      await storage().sweep(then + hours(24))
      expect(await read(brief)).toStrictEqual([then + hours(30), then + minutes(1)])
      expect((await storage().sweep(then + hours(30))).loginFailures).toBeGreaterThanOrEqual(2)
      expect(await read(brief)).toStrictEqual([0, 0])
      expect(await read(lasting)).toStrictEqual([then + days(60), 0])
    })

    it('deletes rate limits when they no longer limit anything', async () => {
      const { rateLimits } = storage()
      const limit: RateLimit = { burst: 1, refillMs: minutes(1), windowMax: 2, windowMs: hours(2) }
      const key = aName()
      await rateLimits.take(key, limit, then)
      await storage().sweep(then + 1)
      expect((await rateLimits.take(key, limit, then + 1)).refusedBy).toBe('burst')
      expect((await rateLimits.take(key, limit, then + minutes(1))).allowed).toBe(true)
      await storage().sweep(then + minutes(90))
      expect((await rateLimits.take(key, limit, then + minutes(90))).refusedBy).toBe('window')
      expect((await storage().sweep(then + days(3))).rateLimits).toBeGreaterThanOrEqual(1)
      expect((await rateLimits.take(key, limit, then + minutes(90))).allowed).toBe(true)
    })

    it('keeps users, devices, passkeys, confirmations and service tokens of any age', async () => {
      const { users, devices, passkeys, confirmations, serviceTokens } = storage()
      const user = await givenUser(storage(), { createdAt: then })
      const device = await givenDevice(storage(), { userId: user.id, createdAt: then })
      const passkey = await givenPasskey(storage(), { userId: user.id, createdAt: then })
      await passkeys.userHandle(user.id, passkey.userHandle)
      const settled = await givenConfirmation(storage(), { userId: user.id, createdAt: then })
      const expired = await givenConfirmation(storage(), { userId: user.id, createdAt: then })
      const settlement = {
        id: settled.id,
        userId: user.id,
        outcome: 'approved',
        deviceId: device.id,
        rejectReason: null,
      } as const
      await storage().approvals.settle({ ...settlement, now: then })
      const token = aServiceToken({ createdAt: then, expiresAt: then + 1 })
      await serviceTokens.add(token)
      const revoked = await serviceTokens.revoke(token.id, then)
      await storage().sweep(then + days(365))
      expect(await users.byId(user.id)).toStrictEqual(user)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual(device)
      expect(await passkeys.withId(passkey.id)).toStrictEqual([passkey])
      expect(await passkeys.userHandle(user.id, 'another')).toBe(passkey.userHandle)
      expect(await confirmations.byId(settled.id)).toMatchObject({ status: 'approved', deviceId: device.id })
      expect(await confirmations.byId(expired.id)).toStrictEqual(expired)
      expect((await serviceTokens.list()).find(({ id }) => id === token.id)).toStrictEqual(revoked)
    })

    it('deletes all rows, even if they do not fit into one step', async () => {
      const many = Array.from({ length: 2500 }, () => aChallenge('device_login', { createdAt: then, expiresAt: then + 1000 }))
      await storage().transaction(async (tx) => {
        for (const challenge of many) await tx.challenges.issue(challenge)
      })
      expect((await storage().sweep(then + days(1))).challenges).toBeGreaterThanOrEqual(many.length)
      const { challenges } = storage()
      for (const { id } of [many.at(0), many.at(1249), many.at(-1)].filter((challenge) => challenge !== undefined)) {
        expect(await challenges.consume(id, 'device_login', null, then)).toBeUndefined()
      }
    })
  })
}
