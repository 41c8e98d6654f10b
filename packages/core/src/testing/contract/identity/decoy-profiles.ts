import { describe, expect, it } from 'vitest'
import type { CredentialCounts, DecoyProfile } from '../../../identity/decoys/decoy-profile.ts'
import type { FullStorage } from '../../../storage.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenPasskey, givenUser } from '../given.ts'

const counts: CredentialCounts = {
  passkeysPerUser: [{ passkeys: 2, users: 7 }],
  passkeyForms: [{ idBytes: 20, transports: ['hybrid', 'internal'], algorithm: -257, users: 6 }],
  deviceAlgorithms: [{ algorithm: 'PS256', users: 5 }],
}

export const decoyProfilesContract = (storage: () => FullStorage): void => {
  /** Makes the next profile. A shared database may already hold profiles. */
  const next = async (overrides: Partial<DecoyProfile> = {}): Promise<DecoyProfile> => {
    const [newest] = await storage().decoyProfiles.newest()
    return { number: (newest?.number ?? 0) + 1, takenAt: clockStart, counts, ...overrides }
  }

  describe('decoy profiles', () => {
    it('are returned as they were stored: the newest two', async () => {
      const { decoyProfiles } = storage()
      const first = await next()
      expect(await decoyProfiles.keep(first)).toBe(true)
      const second = await next({ takenAt: clockStart + 1, counts: { ...counts, passkeyForms: [] } })
      expect(await decoyProfiles.keep(second)).toBe(true)
      expect(await decoyProfiles.newest()).toStrictEqual([second, first])
      const third = await next()
      await decoyProfiles.keep(third)
      expect(await decoyProfiles.newest()).toStrictEqual([third, second])
    })

    it('are stored once for each number by concurrent callers', async () => {
      const { decoyProfiles } = storage()
      const { number } = await next()
      const offered = Array.from({ length: 20 }, (_, index) => ({ number, takenAt: clockStart + index, counts }))
      const outcomes = await atOnce(20, (index) => decoyProfiles.keep(offered[index] ?? { number, takenAt: 0, counts }))
      expect(tally(outcomes, true)).toBe(1)
      expect((await decoyProfiles.newest())[0]).toStrictEqual(offered[outcomes.indexOf(true)])
    })

    it('count users by their number of passkeys, and the forms and algorithms of passkeys by users', async () => {
      const { decoyProfiles, devices } = storage()
      /** A form of passkey that no other test uses. */
      const form = { id: Buffer.alloc(333, 7).toString('base64url'), transports: ['usb', 'smart-card'], algorithm: -257 } as const
      const before = await decoyProfiles.count(1)
      for (const passkeys of [1, 3, 3]) {
        const { id: userId } = await givenUser(storage())
        await givenPasskey(storage(), { ...form, userId })
        for (let more = 1; more < passkeys; more += 1) await givenPasskey(storage(), { userId })
        await givenDevice(storage(), { userId, keyAlgorithm: 'PS256' })
        await givenDevice(storage(), { userId, keyAlgorithm: 'PS256' })
        const removed = await givenDevice(storage(), { userId, keyAlgorithm: 'RS256' })
        await devices.remove(userId, removed.id, clockStart)
      }
      const after = await decoyProfiles.count(1)
      const users = (of: CredentialCounts, many: number) =>
        of.passkeysPerUser.find(({ passkeys }) => passkeys === many)?.users ?? 0
      expect(users(after, 1) - users(before, 1)).toBe(1)
      expect(users(after, 3) - users(before, 3)).toBe(2)
      const { id: _, ...looks } = form
      const counted = { idBytes: 333, ...looks, users: 3 }
      expect(after.passkeyForms).toContainEqual(counted)
      expect((await decoyProfiles.count(3)).passkeyForms).toContainEqual(counted)
      expect((await decoyProfiles.count(4)).passkeyForms).not.toContainEqual(counted)
      const signing = (of: CredentialCounts, name: string) =>
        of.deviceAlgorithms.find(({ algorithm }) => algorithm === name)?.users ?? 0
      expect(signing(after, 'PS256') - signing(before, 'PS256')).toBe(3)
      expect(signing(after, 'RS256') - signing(before, 'RS256')).toBe(0)
    })
  })
}
