import { describe, expect, it } from 'vitest'
import type { Passkey } from '../../../identity/records/passkey.ts'
import type { ApproverQuery, NewUser, User } from '../../../identity/records/user.ts'
import { grantersOf } from '../../../identity/user-model/permissions.ts'
import type { FullStorage } from '../../../storage.ts'
import { uuid } from '../../builders/shared.ts'
import { aConfirmation, aNewUser, anApprovalRequest } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenDevice, givenPasskey, givenUser } from '../given.ts'

const later = clockStart + 1000

/** Each test has a permission of its own, because the suite shares the users of one database. */
const aPermission = () => `p-${uuid()}.approve` as const

/** A user with a trusted device whose key nobody else has. */
const givenApprover = async (storage: FullStorage, overrides: Partial<NewUser>): Promise<User> => {
  const user = await givenUser(storage, overrides)
  await givenDevice(storage, { userId: user.id, publicKey: uuid() })
  return user
}

/** Asks these users for an approval at a time. */
const ask = async ({ approvalRequests }: FullStorage, requestedBy: number, users: readonly User[], createdAt: number) => {
  const request = anApprovalRequest({ requestedBy, createdAt })
  const votes = users.map(({ id: userId }) => aConfirmation({ userId, approvalId: request.id, createdAt }))
  expect(await approvalRequests.open(request, votes, 1000)).toBe(true)
}

export const approversContract = (storage: () => FullStorage): void => {
  describe('approvers', () => {
    const given = async () => {
      const permission = aPermission()
      const requester = await givenApprover(storage(), { permissions: [permission] })
      const find = async (tenant: string | null = null, overrides: Partial<ApproverQuery> = {}) => {
        const permissions = grantersOf(permission, tenant)
        const common = { requestedBy: requester.id, now: later, limit: 100, ...overrides }
        const found = await storage().users.approvers({ permissions, ...common })
        const known = new Set(await Promise.all(found.map(async ({ id }) => (await storage().users.byId(id)) ?? id)))
        expect(new Set(found)).toEqual(known)
        // Other tests of the suite may leave users with every permission.
        return found.filter(({ permissions: held }) => !held.includes('*.*')).map(({ id }) => id)
      }
      const holder = (...permissions: readonly string[]) => givenApprover(storage(), { permissions: [...permissions] })
      return { permission, requester, find, holder }
    }

    it('are the others who hold the permission, also by a wildcard, everywhere or in the tenant', async () => {
      const { permission, find, holder } = await given()
      const resource = permission.split('.')[0] ?? ''
      const [itself, wildcard] = [await holder(permission), await holder(`${resource}.*`, permission)]
      const [inTenant, byWildcardInTenant] = [await holder(`${permission}@acme`), await holder(`${resource}.*@acme`)]
      for (const other of [`${resource}.read`, `${permission}s`, `${permission}@other`, 'project.read']) await holder(other)
      expect(await find()).toStrictEqual([itself.id, wildcard.id])
      expect(await find('acme')).toStrictEqual([itself.id, wildcard.id, inTenant.id, byWildcardInTenant.id])
    })

    it('are found among users who hold everything', async () => {
      const { permission, requester } = await given()
      const { id } = await givenApprover(storage(), { permissions: ['*.*'] })
      const found = await storage().users.approvers({
        permissions: grantersOf(permission),
        requestedBy: requester.id,
        now: later,
        limit: 100,
      })
      expect(found.map((user) => user.id)).toContain(id)
      await storage().users.erase(id, later)
    })

    it('have an active device that is already trusted', async () => {
      const { permission, find } = await given()
      const holderWith = async (trustedAt: number | null) => {
        const { id: userId } = await givenUser(storage(), { permissions: [permission] })
        return { userId, device: await givenDevice(storage(), { userId, publicKey: uuid(), trustedAt }) }
      }
      await givenUser(storage(), { permissions: [permission] })
      const [onProbation, coolingOff] = [await holderWith(null), await holderWith(later + 1)]
      const trusted = await holderWith(later)
      expect(await find()).toStrictEqual([trusted.userId])
      expect(await find(null, { now: later + 1 })).toStrictEqual([coolingOff.userId, trusted.userId])
      expect(
        await storage().trust.makeTrusted({ userId: onProbation.userId, kind: 'device', id: onProbation.device.id }, later),
      ).toBe(true)
      await storage().devices.remove(trusted.userId, trusted.device.id, later)
      expect(await find()).toStrictEqual([onProbation.userId])
      await storage().trust.removeOnProbation(coolingOff.userId, later)
      expect(await find(null, { now: later + 1 })).toStrictEqual([onProbation.userId])
      await givenDevice(storage(), { userId: trusted.userId, publicKey: uuid() })
      expect(await find()).toStrictEqual([trusted.userId, onProbation.userId].sort((one, other) => one - other))
    })

    it('have a trusted passkey instead, if a passkey is enough', async () => {
      const { permission, requester, find, holder } = await given()
      const withDevice = await holder(permission)
      const holderWith = async (overrides: Partial<Passkey> = {}) => {
        const { id: userId } = await givenUser(storage(), { permissions: [permission] })
        return givenPasskey(storage(), { userId, ...overrides })
      }
      const own = await givenPasskey(storage(), { userId: requester.id })
      await holderWith({ spki: own.spki })
      await holderWith({ trustedAt: later + 1 })
      const waiting = await holderWith({ trustedAt: null })
      const trusted = await holderWith()
      expect(await find()).toStrictEqual([withDevice.id])
      expect(await find(null, { passkeys: true })).toStrictEqual([withDevice.id, trusted.userId])
      await storage().trust.makeTrusted({ userId: waiting.userId, kind: 'passkey', id: waiting.id }, later)
      await storage().passkeys.remove(trusted.userId, trusted.id, later)
      expect(await find(null, { passkeys: true })).toStrictEqual([withDevice.id, waiting.userId])
      await givenPasskey(storage(), { userId: withDevice.id })
      const [device] = await storage().devices.allOfUser(withDevice.id)
      await storage().devices.remove(withDevice.id, device?.id ?? '', later)
      expect(await find()).toStrictEqual([])
      expect(await find(null, { passkeys: true })).toStrictEqual([withDevice.id, waiting.userId])
    })

    it('have a key that the requester neither has nor had', async () => {
      const { permission, requester, find } = await given()
      const { id: userId } = await givenUser(storage(), { permissions: [permission] })
      const [active, removed] = [uuid(), uuid()]
      await givenDevice(storage(), { userId: requester.id, publicKey: active })
      const { id } = await givenDevice(storage(), { userId: requester.id, publicKey: removed })
      await storage().devices.remove(requester.id, id, later)
      for (const publicKey of [active, removed]) await givenDevice(storage(), { userId, publicKey })
      expect(await find()).toStrictEqual([])
      await givenDevice(storage(), { userId, publicKey: uuid() })
      expect(await find()).toStrictEqual([userId])
    })

    it('change with each change of permissions, each disabling, lock and erasure', async () => {
      const { permission, find } = await given()
      const { users } = storage()
      const user = await givenApprover(storage(), { permissions: ['project.read'] })
      let { version } = user
      const change = async (changed: Parameters<typeof users.change>[2]) => {
        const next = await users.change(user.id, version, changed, later)
        version = next?.version ?? version
      }
      const steps: readonly (readonly [() => Promise<unknown>, readonly number[]])[] = [
        [() => change({ permissions: ['project.read', permission] }), [user.id]],
        [() => change({ name: 'Another name' }), [user.id]],
        [() => change({ disabledAt: later }), []],
        [() => change({ permissions: [permission] }), []],
        [() => change({ disabledAt: null }), [user.id]],
        [() => users.setLock(user.id, later, later), []],
        [() => users.setLock(user.id, null, later), [user.id]],
        [() => users.erase(user.id, later), []],
      ]
      for (const [step, found] of steps) {
        await step()
        version = (await users.byId(user.id))?.version ?? version
        expect(await find()).toStrictEqual(found)
      }
    })

    it('have no refused email, and are users of the storage unless the query names ids of a directory', async () => {
      const { permission, requester, find, holder } = await given()
      const [refused, admitted] = [await holder(permission), await holder(permission)]
      const directoryId = uuid()
      const ofDirectory = await givenApprover(storage(), { permissions: [permission], directoryId })
      await givenUser(storage(), { directoryId: `${directoryId}-without-device` })
      expect(await find(null, { refusedEmails: [refused.email] })).toStrictEqual([admitted.id])
      expect(await find(null, { refusedEmails: [refused.email], limit: 1 })).toStrictEqual([admitted.id])
      const directoryIds = [directoryId, `${directoryId}-without-device`, uuid()]
      const query = { directoryIds, requestedBy: requester.id, now: later, limit: 100 }
      expect(await storage().users.approvers(query)).toStrictEqual([await storage().users.byId(ofDirectory.id)])
      expect(await storage().users.approvers({ ...query, refusedEmails: [ofDirectory.email] })).toStrictEqual([])
      expect(await storage().users.approvers({ ...query, directoryIds: [] })).toStrictEqual([])
    })

    it('are listed up to the limit, those who were never asked first, then the least recently asked', async () => {
      const { permission, requester, find, holder } = await given()
      const people: User[] = []
      for (let count = 0; count < 4; count += 1) people.push(await holder(permission, `${permission.split('.')[0]}.*`))
      const [one, two, three, four] = people.map(({ id }) => id)
      await ask(storage(), requester.id, people.slice(0, 1), clockStart + 2)
      await ask(storage(), requester.id, people.slice(1, 3), clockStart + 1)
      expect(await find()).toStrictEqual([four, two, three, one])
      expect(await find(null, { limit: 2 })).toStrictEqual([four, two])
      const { id: approvalId, ...request } = anApprovalRequest({ requestedBy: requester.id })
      await storage().approvalRequests.open({ id: approvalId, ...request }, [], 1000)
      const vote = aConfirmation({ userId: four ?? 0, approvalId, createdAt: clockStart + 3 })
      expect(await storage().approvalRequests.ask(vote, 100)).toBe(true)
      expect(await find()).toStrictEqual([two, three, one, four])
    })

    it('are found after users were added many at a time', async () => {
      const { permission, find } = await given()
      const many = Array.from({ length: 500 }, () =>
        aNewUser({ permissions: Array.from({ length: 20 }, (_, at) => (at === 0 ? permission : `p${at}.read`)) }),
      )
      const added = await storage().users.create(many)
      const [first, last] = [added[0]?.id ?? 0, added.at(-1)?.id ?? 0]
      for (const userId of [first, last]) await givenDevice(storage(), { userId, publicKey: uuid() })
      expect(await find()).toStrictEqual([first, last])
    })

    it('are found in whatever order a grant, a revocation and a change of devices happen', async () => {
      const { permission, requester, find } = await given()
      const { users, devices } = storage()
      const query = { permissions: [permission], requestedBy: requester.id, now: later, limit: 100 }
      for (let round = 0; round < 8; round += 1) {
        const { id, version } = await givenUser(storage(), { permissions: round % 2 === 0 ? [] : [permission] })
        const change = (permissions: readonly string[]) => users.change(id, version, { permissions }, later)
        const first = await givenDevice(storage(), { userId: id, publicKey: uuid() })
        const works = [
          () => change(round % 4 < 2 ? [permission] : ['project.read']),
          () => change(round % 4 < 2 ? ['project.read'] : [permission]),
          () => givenDevice(storage(), { userId: id, publicKey: uuid() }),
          () => devices.remove(id, first.id, later),
          () => users.approvers(query),
        ]
        await atOnce(works.length, async (at) => works[at]?.())
        const holds = (await users.byId(id))?.permissions.includes(permission)
        expect((await find()).includes(id)).toBe(holds)
      }
    })
  })
}
