import { describe, expect, it } from 'vitest'
import type { RateLimit } from '../../identity/rate-limits/store.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'
import type { FullStorage } from '../../storage.ts'
import {
  aChallenge,
  aConfirmation,
  aDevice,
  aNewUser,
  aOneTimeCode,
  aPasskey,
  aServiceToken,
  aSession,
  noWaits,
} from '../builders.ts'
import { failuresOf } from '../failures-of.ts'
import { clockStart } from '../fake-clock.ts'
import { atOnce, gate } from './at-once.ts'
import { givenConfirmation, givenDevice, givenPasskey, givenSession, givenUser } from './given.ts'

const later = clockStart + 1234
const once: RateLimit = { burst: 1, refillMs: 60_000, windowMax: 60, windowMs: 3_600_000 }
const aName = () => `name-${randomUuid(systemRandom)}`

export const transactionsContract = (storage: () => FullStorage): void => {
  describe('a transaction', () => {
    it('resolves to the result of its work, and is committed', async () => {
      const newUser = aNewUser()
      const account = aName()
      const session = await storage().transaction(async (tx) => {
        const user = await givenUser(tx, newUser)
        await tx.loginFailures.reserve(account, noWaits, later)
        return givenSession(tx, { userId: user.id })
      })
      expect(await storage().users.byEmail(newUser.email)).toMatchObject({ id: session.userId })
      expect(await storage().sessions.byId(session.id)).toStrictEqual(session)
      expect(await failuresOf(storage(), account)).toStrictEqual({ count: 1, lastAt: later })
    })

    it('reads its own writes', async () => {
      await storage().transaction(async (tx) => {
        const user = await givenUser(tx)
        const session = await givenSession(tx, { userId: user.id })
        expect(await tx.users.byId(user.id)).toStrictEqual(user)
        expect(await tx.sessions.ofUser(user.id, later)).toStrictEqual([session])
        await tx.sessions.end(session.id, 'logout', later)
        expect(await tx.sessions.ofUser(user.id, later)).toStrictEqual([])
      })
    })

    it('that fails has added nothing to any store', async () => {
      const newUser = aNewUser()
      const user = await givenUser(storage())
      const of = { userId: user.id }
      const [session, device, passkey, confirmation] = [aSession(of), aDevice(of), aPasskey(of), aConfirmation(of)]
      const [challenge, token, account, key] = [aChallenge('device_login'), aServiceToken(), aName(), aName()]
      const code = aOneTimeCode(of)
      const failure = new Error('changed my mind')
      const failing = storage().transaction(async (tx) => {
        await tx.users.create([newUser])
        await tx.sessions.open(session)
        await tx.devices.register(device, session.id, 20)
        await tx.passkeys.register(passkey, session.id, 20)
        await tx.passkeys.userHandle(user.id, 'never given')
        await tx.confirmations.initiate(confirmation, 20)
        await tx.challenges.issue(challenge)
        await tx.oneTimeCodes.issue(code)
        await tx.serviceTokens.add(token)
        await tx.loginFailures.reserve(account, noWaits, later)
        await tx.rateLimits.take(key, once, later)
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      const { users, sessions, devices, passkeys, confirmations, challenges, serviceTokens, loginFailures, rateLimits } =
        storage()
      expect(await users.byEmail(newUser.email)).toBeUndefined()
      expect(await sessions.byId(session.id)).toBeUndefined()
      expect(await devices.byId(device.id)).toBeUndefined()
      expect(await passkeys.withId(passkey.id)).toStrictEqual([])
      expect(await passkeys.userHandle(user.id, passkey.userHandle)).toBe(passkey.userHandle)
      expect(await confirmations.byId(confirmation.id)).toBeUndefined()
      expect(await challenges.consume(challenge.id, 'device_login', null, later)).toBeUndefined()
      expect(await storage().oneTimeCodes.byHash(code.hash)).toBeUndefined()
      expect(await serviceTokens.status(token.id)).toBeUndefined()
      expect(await failuresOf({ loginFailures }, account)).toBeUndefined()
      expect((await rateLimits.take(key, once, later)).allowed).toBe(true)
    })

    it('that fails has changed nothing in any store', async () => {
      const user = await givenUser(storage(), { passwordHash: 'weak' })
      const session = await givenSession(storage(), { userId: user.id })
      const device = await givenDevice(storage(), { userId: user.id })
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const confirmation = await givenConfirmation(storage(), { userId: user.id })
      const counted = await givenConfirmation(storage(), { userId: user.id })
      const [challenge, token, account] = [aChallenge('device_login'), aServiceToken(), aName()]
      await storage().challenges.issue(challenge)
      const code = aOneTimeCode({ userId: user.id })
      await storage().oneTimeCodes.issue(code)
      await storage().serviceTokens.add(token)
      await storage().loginFailures.reserve(account, noWaits, later)
      const failure = new Error('changed my mind')
      const of = { userId: user.id, now: later, rejectReason: null }
      const failing = storage().transaction(async (tx) => {
        await tx.users.upgradePasswordHash(user.id, 'weak', 'strong')
        await tx.users.change(user.id, user.version, { permissions: [] }, later)
        await tx.sessions.end(session.id, 'logout', later)
        await tx.devices.use(user.id, device.id, later)
        await tx.approvals.settle({ ...of, id: confirmation.id, outcome: 'approved', deviceId: device.id })
        await tx.confirmations.countWrong({ userId: user.id, id: counted.id, counter: 'wrongSignatures', limit: 1, now: later })
        await tx.devices.remove(user.id, device.id, later)
        await tx.passkeys.use({ userId: user.id, id: passkey.id, signCount: 1, backedUp: false, now: later })
        await tx.passkeys.rename(user.id, passkey.id, 'Another name')
        await tx.passkeys.remove(user.id, passkey.id, later)
        await tx.challenges.consume(challenge.id, 'device_login', null, later)
        await tx.oneTimeCodes.spend({ userId: user.id, kind: code.kind, hash: code.hash, now: later })
        await tx.serviceTokens.revoke(token.id, later)
        await tx.loginFailures.succeed(account, later, later)
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      const { users, sessions, devices, passkeys, confirmations, challenges, serviceTokens, loginFailures } = storage()
      expect(await users.byId(user.id)).toStrictEqual(user)
      expect(await sessions.byId(session.id)).toStrictEqual(session)
      expect(await devices.byId(device.id)).toStrictEqual(device)
      expect(await passkeys.withId(passkey.id)).toStrictEqual([passkey])
      expect(await confirmations.byId(confirmation.id)).toStrictEqual(confirmation)
      expect(await confirmations.byId(counted.id)).toStrictEqual(counted)
      expect(await challenges.consume(challenge.id, 'device_login', null, later)).toStrictEqual(challenge)
      expect(await storage().oneTimeCodes.byHash(code.hash)).toStrictEqual(code)
      expect(await serviceTokens.status(token.id)).toStrictEqual(token)
      expect(await failuresOf({ loginFailures }, account)).toStrictEqual({ count: 1, lastAt: later })
    })

    it('that fails may skip ids, but no id is used twice', async () => {
      const before = await givenUser(storage())
      const failing = storage().transaction(async (tx) => {
        await givenUser(tx)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      const [one, other] = [await givenUser(storage()), await givenUser(storage())]
      expect(one.id).toBeGreaterThan(before.id)
      expect(other.id).toBeGreaterThan(one.id)
    })

    it('hides its writes from others until it commits', async () => {
      const user = await givenUser(storage())
      const newUser = aNewUser()
      const [written, read] = [gate(), gate()]
      const transaction = storage().transaction(async (tx) => {
        await tx.users.change(user.id, user.version, { permissions: ['never.seen'] }, later)
        await tx.users.create([newUser])
        written.open()
        await read.passed
        throw new Error('changed my mind')
      })
      await written.passed
      // Both reads may resolve during the transaction or after it.
      const reads = [storage().users.byId(user.id), storage().users.byEmail(newUser.email)] as const
      read.open()
      await expect(transaction).rejects.toThrow('changed my mind')
      expect(await Promise.all(reads)).toStrictEqual([user, undefined])
    })

    it('is isolated from concurrent transactions', async () => {
      const account = aName()
      const users = await atOnce(20, () =>
        storage().transaction(async (tx) => {
          const user = await givenUser(tx)
          await tx.loginFailures.reserve(account, noWaits, later)
          await givenSession(tx, { userId: user.id })
          return user
        }),
      )
      expect(await failuresOf(storage(), account)).toStrictEqual({ count: 20, lastAt: later })
      for (const user of users) expect(await storage().sessions.ofUser(user.id, later)).toHaveLength(1)
    })

    it('succeeds when another transaction locks the same rows in the opposite order', async () => {
      const [one, other] = [aName(), aName()]
      const inOrder = (first: string, second: string) =>
        storage().transaction(async (tx) => {
          await tx.loginFailures.reserve(first, noWaits, later)
          await tx.loginFailures.reserve(second, noWaits, later)
        })
      for (const round of [1, 2]) {
        await Promise.all([inOrder(one, other), inOrder(other, one)])
        expect(await failuresOf(storage(), one)).toStrictEqual({ count: 2 * round, lastAt: later })
        expect(await failuresOf(storage(), other)).toStrictEqual({ count: 2 * round, lastAt: later })
      }
    })

    it('that fails has no effect on concurrent transactions', async () => {
      const account = aName()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          storage().transaction(async (tx) => {
            await tx.loginFailures.reserve(account, noWaits, later)
            if (index % 2 === 1) throw new Error('changed my mind')
          }),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
      expect(await failuresOf(storage(), account)).toStrictEqual({ count: 10, lastAt: later })
    })
  })
}
