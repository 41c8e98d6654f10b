import { describe, expect, it } from 'vitest'
import type { Vouching } from '../../../approvals/vouching/vouching.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, aDevice, aPasskey } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenConfirmation, givenSession, givenUser, givenUserInSession } from '../given.ts'

export const vouchingsContract = (storage: () => FullStorage): void => {
  describe('vouchings', () => {
    const aVouching = (userId: number, overrides: Partial<Vouching> = {}): Vouching => ({
      userId,
      kind: 'device',
      subjectId: randomUuid(systemRandom),
      registeredBy: randomUuid(systemRandom),
      confirmationId: aConfirmation().id,
      startedByRegistration: true,
      createdAt: clockStart,
      ...overrides,
    })

    it('are found by their confirmation and by their subject, for their user only', async () => {
      const { vouchings } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const vouching = aVouching(user.id, { registeredBy: null })
      await vouchings.put(vouching)
      expect(await vouchings.ofConfirmation(user.id, vouching.confirmationId ?? '')).toStrictEqual(vouching)
      expect(await vouchings.ofConfirmation(other.id, vouching.confirmationId ?? '')).toBeUndefined()
      expect(await vouchings.ofSubject(vouching)).toStrictEqual(vouching)
      expect(await vouchings.ofSubject({ ...vouching, kind: 'passkey' })).toBeUndefined()
      expect(await vouchings.ofSubject({ ...vouching, userId: other.id })).toBeUndefined()
    })

    it('replace the vouching of the same subject, whose confirmation then decides nothing', async () => {
      const { vouchings } = storage()
      const user = await givenUser(storage())
      const first = aVouching(user.id)
      const second = { ...first, confirmationId: aConfirmation().id, createdAt: clockStart + 5, startedByRegistration: false }
      await vouchings.put(first)
      await vouchings.put(second)
      expect(await vouchings.ofConfirmation(user.id, first.confirmationId ?? '')).toBeUndefined()
      expect(await vouchings.ofSubject(first)).toStrictEqual(second)
    })

    it('are counted where a registration started them, from a time on', async () => {
      const { vouchings } = storage()
      const { user, sessionId: registeredBy } = await givenUserInSession(storage())
      const other = await givenUserInSession(storage())
      for (const createdAt of [clockStart - 1, clockStart, clockStart + 1]) {
        await vouchings.put(aVouching(user.id, { createdAt, registeredBy }))
      }
      await vouchings.put(aVouching(user.id, { startedByRegistration: false, confirmationId: null, registeredBy }))
      await vouchings.put(aVouching(other.user.id, { registeredBy: other.sessionId }))
      expect(await vouchings.startedByRegistrations(user.id, clockStart)).toBe(2)
    })

    it('are not counted where the session that registered has ended', async () => {
      const { vouchings, sessions } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const other = await givenSession(storage(), { userId: user.id })
      for (const registeredBy of [sessionId, sessionId, other.id, null]) await vouchings.put(aVouching(user.id, { registeredBy }))
      expect(await vouchings.startedByRegistrations(user.id, clockStart)).toBe(3)
      await sessions.end(sessionId, 'revoked', clockStart)
      expect(await vouchings.startedByRegistrations(user.id, clockStart)).toBe(1)
    })

    it('are rejected when their device or passkey is removed, and while it is registered they stay pending', async () => {
      const { vouchings, confirmations, devices, passkeys } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const owner = { userId: user.id, trustedAt: null }
      const device = aDevice(owner)
      const passkey = aPasskey(owner)
      await devices.register(device, sessionId, 20)
      await passkeys.register(passkey, sessionId, 20)
      const asked = { userId: user.id, actionType: 'device_register', requestedBy: sessionId }
      const idOfVouching = async (kind: 'device' | 'passkey', subjectId: string) => {
        const { id } = await givenConfirmation(storage(), asked)
        await vouchings.put(aVouching(user.id, { kind, subjectId, confirmationId: id }))
        return id
      }
      const ofDevice = await idOfVouching('device', device.id)
      const ofPasskey = await idOfVouching('passkey', passkey.id)
      const other = await givenConfirmation(storage(), asked)
      const reject = () => confirmations.rejectAllOfUser(user.id, clockStart, 'orphaned')
      const statusOf = async (id: string) => (await confirmations.byId(id))?.status
      expect(await reject()).toBe(0)
      await passkeys.remove(user.id, passkey.id)
      expect(await reject()).toBe(1)
      expect([await statusOf(ofPasskey), await statusOf(ofDevice)]).toStrictEqual(['rejected', 'pending'])
      await devices.remove(user.id, device.id, clockStart)
      expect(await reject()).toBe(1)
      expect([await statusOf(ofDevice), await statusOf(other.id)]).toStrictEqual(['rejected', 'pending'])
    })

    it('do not count towards the limit of pending confirmations', async () => {
      const { vouchings, confirmations } = storage()
      const user = await givenUser(storage())
      const { id: confirmationId } = await givenConfirmation(storage(), { userId: user.id, actionType: 'device_register' })
      expect(await confirmations.initiate(aConfirmation({ userId: user.id }), 1)).toBe(false)
      await vouchings.put(aVouching(user.id, { confirmationId }))
      expect(await confirmations.initiate(aConfirmation({ userId: user.id }), 1)).toBe(true)
      expect(await confirmations.initiate(aConfirmation({ userId: user.id }), 1)).toBe(false)
    })
  })
}
