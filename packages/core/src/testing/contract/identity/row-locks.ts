import { describe, expect, it } from 'vitest'
import type { Device } from '../../../identity/records/device.ts'
import type { AllStores, FullStorage } from '../../../storage.ts'
import { aPushToken, aSealedField, aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { gate } from '../at-once.ts'
import { givenDevice, givenPasskey, givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

/**
 * A row that a transaction has locked must not change before the commit. A concurrent change comes before or after the whole
 * transaction.
 */
export const holdingContract = (storage: () => FullStorage): void => {
  describe('a row that a transaction has locked', () => {
    /**
     * Runs a login that checks its conditions and then opens a session. A change that forbids the login starts between the two.
     * Returns whether the session was opened.
     */
    const race = async (
      mayLogIn: (tx: AllStores) => Promise<boolean>,
      openSession: (tx: AllStores) => Promise<void>,
      forbid: () => Promise<unknown>,
    ): Promise<boolean> => {
      const [requested, forbidding] = [gate(), gate()]
      const login = storage().transaction(async (tx) => {
        const may = await mayLogIn(tx)
        requested.open()
        await forbidding.passed
        if (!may) return false
        // This work gives the other side time to run as far as it can.
        for (let index = 0; index < 20; index += 1) await tx.users.byId(index)
        await openSession(tx)
        return true
      })
      await requested.passed
      const forbidden = forbid()
      forbidding.open()
      const [opened] = await Promise.all([login, forbidden])
      return opened
    }

    it.each([
      ['a disabling', 'user_disabled', { disabledAt: later }],
      ['a change of password', 'password_changed', { passwordHash: 'new hash' }],
    ] as const)('is the user: no login succeeds during %s', async (_, reason, change) => {
      const user = await givenUser(storage(), { passwordHash: 'old hash' })
      const session = aSession({ userId: user.id })
      const opened = await race(
        (tx) => tx.users.admit(user.id, user.version),
        (tx) => tx.sessions.open(session),
        () =>
          storage().transaction(async (tx) => {
            expect(await tx.users.change(user.id, user.version, change, later)).toBeDefined()
            await tx.sessions.endAll({ userId: user.id }, reason, later)
          }),
      )
      expect(await storage().sessions.status(session.id)).toBeUndefined()
      expect(await storage().sessions.ofUser(user.id, later)).toStrictEqual([])
      expect((await storage().sessions.byId(session.id))?.endReason).toBe(opened ? reason : undefined)
    })

    it('is the session: it does not end before the change that needs it', async () => {
      const user = await givenUser(storage(), { passwordHash: 'old hash' })
      const session = await givenSession(storage(), { userId: user.id })
      const other = await givenSession(storage(), { userId: user.id })
      const isChanged = await race(
        async (tx) => {
          const changed = await tx.users.change(user.id, user.version, { passwordHash: 'new hash' }, later)
          return changed !== undefined && (await tx.sessions.hold(session.id, user.id))
        },
        async (tx) => void (await tx.sessions.endAll({ userId: user.id, except: session.id }, 'password_changed', later)),
        () => storage().sessions.end(session.id, 'revoked', later),
      )
      expect(await storage().sessions.byId(session.id)).toMatchObject({ endReason: 'revoked' })
      expect((await storage().sessions.byId(other.id))?.endReason).toBe(isChanged ? 'password_changed' : null)
    })

    it('is the device: no login succeeds during its removal', async () => {
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const session = aSession({ userId: user.id, deviceId: device.id, kind: 'biometric', authMethod: 'biometric' })
      await race(
        (tx) => tx.devices.use(user.id, device.id, later),
        (tx) => tx.sessions.open(session),
        () =>
          storage().transaction(async (tx) => {
            expect(await tx.devices.remove(user.id, device.id, later)).toBe(true)
            await tx.sessions.endAll({ userId: user.id, deviceId: device.id }, 'device_removed', later)
          }),
      )
      expect(await storage().devices.ofUser(user.id, device.id)).toBeUndefined()
      expect(await storage().sessions.status(session.id)).toBeUndefined()
      expect(await storage().sessions.ofUser(user.id, later)).toStrictEqual([])
    })

    it('is the device: its push token does not change between reading and removing the device', async () => {
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id, pushToken: aSealedField() })
      let seen: Device | undefined
      await race(
        async (tx) => {
          seen = await tx.devices.lock(user.id, device.id)
          return seen !== undefined
        },
        async (tx) => {
          expect(await tx.devices.ofUser(user.id, device.id)).toStrictEqual(seen)
          expect(await tx.devices.remove(user.id, device.id, later)).toBe(true)
        },
        () => storage().devices.setPushToken(user.id, device.id, aPushToken(), later),
      )
      expect(seen).toMatchObject({ id: device.id })
      expect(await storage().devices.ofUser(user.id, device.id)).toBeUndefined()
    })

    it('is the passkey: no login succeeds during its removal', async () => {
      const user = await givenUser(storage())
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const session = aSession({ userId: user.id, passkeyId: passkey.id, authMethod: 'webauthn' })
      await race(
        (tx) => tx.passkeys.use({ userId: user.id, id: passkey.id, signCount: 1, backedUp: false, now: later }),
        (tx) => tx.sessions.open(session),
        () =>
          storage().transaction(async (tx) => {
            expect(await tx.passkeys.remove(user.id, passkey.id, later)).toBe(true)
            await tx.sessions.endAll({ userId: user.id, passkeyId: passkey.id }, 'passkey_removed', later)
          }),
      )
      expect(await storage().passkeys.withId(passkey.id)).toStrictEqual([])
      expect(await storage().sessions.status(session.id)).toBeUndefined()
      expect(await storage().sessions.ofUser(user.id, later)).toStrictEqual([])
    })
  })
}
