import { describe, expect, it } from 'vitest'
import type { Session } from '../../../identity/records/session.ts'
import { days } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenPasskey, givenSession, givenUser } from '../given.ts'

const now = clockStart + days(1)

/** Declares tests of the greatest number of live sessions of a user. */
export const sessionLimitContract = (storage: () => FullStorage): void => {
  const given = async () => {
    const userId = (await givenUser(storage())).id
    const device = await givenDevice(storage(), { userId, trustedAt: clockStart })
    const passkey = await givenPasskey(storage(), { userId, trustedAt: clockStart })
    const onProbation = await givenDevice(storage(), { userId, trustedAt: now + 1 })
    const openers = {
      password: {},
      device: { kind: 'biometric', authMethod: 'biometric', deviceId: device.id },
      passkey: { authMethod: 'webauthn', passkeyId: passkey.id },
      'device on probation': { kind: 'biometric', authMethod: 'biometric', deviceId: onProbation.id },
    } as const satisfies Record<string, Partial<Session>>
    const used: Session[] = []
    /** Opens a live session. Each one was used a millisecond later than the one before. */
    const usedBy = async (opener: keyof typeof openers, overrides: Partial<Session> = {}) => {
      const lastUsedAt = clockStart + used.length
      const session = await givenSession(storage(), { userId, lastUsedAt, ...openers[opener], ...overrides })
      used.push(session)
      return session.id
    }
    const open = async (opener: keyof typeof openers, limit: number) => {
      const session = aSession({ userId, createdAt: now, ...openers[opener] })
      await storage().sessions.open(session, limit)
      return session.id
    }
    const live = async () => new Set((await storage().sessions.ofUser(userId, now)).map(({ id }) => id))
    return { userId, usedBy, open, live, device }
  }

  describe('a limit of live sessions', () => {
    it('ends the least recently used session, and keeps the others', async () => {
      const { usedBy, open, live } = await given()
      const [first, second, third] = [await usedBy('password'), await usedBy('password'), await usedBy('password')]
      await storage().sessions.rotate({
        sessionId: first,
        fromTokenId: (await storage().sessions.byId(first))?.refreshTokenId ?? '',
        toTokenId: first,
        keyHash: null,
        expiresAt: now + days(1),
        now: now - 1,
      })
      const opened = await open('password', 3)
      expect(await live()).toStrictEqual(new Set([first, third, opened]))
      expect(await storage().sessions.byId(second)).toMatchObject({ endedAt: now, endReason: 'too_many' })
      expect(await storage().sessions.status(second)).toBeUndefined()
      expect(await storage().sessions.status(third)).toBeDefined()
    })

    it('ends no session below the limit, and does not count ended or expired sessions or those of others', async () => {
      const { usedBy, open, live } = await given()
      const other = await given()
      for (let index = 0; index < 3; index += 1) await other.usedBy('password')
      await usedBy('password', { refreshExpiresAt: now })
      await storage().sessions.end(await usedBy('password'), 'logout', now - 1)
      const kept = [await usedBy('password'), await usedBy('device')]
      const opened = await open('password', 3)
      expect(await live()).toStrictEqual(new Set([...kept, opened]))
      expect((await other.live()).size).toBe(3)
    })

    it.each(['password', 'device on probation'] as const)(
      'never lets a session by %s end that of a trusted device or passkey',
      async (opener) => {
        const { usedBy, open, live } = await given()
        const trusted = [await usedBy('device'), await usedBy('passkey'), await usedBy('device')]
        const [one, two] = [await open(opener, 4), await open(opener, 4)]
        expect(await live()).toStrictEqual(new Set([...trusted, two]))
        expect(await storage().sessions.byId(one)).toMatchObject({ endReason: 'too_many' })
      },
    )

    it('reserves a place for a session by password, which then neither ends a trusted one nor exceeds the limit', async () => {
      const { usedBy, open, live } = await given()
      const [first, second] = [await usedBy('device'), await usedBy('passkey')]
      const third = await open('device', 3)
      expect(await live()).toStrictEqual(new Set([second, third]))
      expect(await storage().sessions.byId(first)).toMatchObject({ endReason: 'too_many' })
      const web = await open('password', 3)
      expect(await live()).toStrictEqual(new Set([second, third, web]))
    })

    it.each(['password', 'device on probation'] as const)(
      'holds for a session by %s after a device with too many sessions became trusted',
      async (opener) => {
        const { usedBy, open, live } = await given()
        await usedBy('device')
        const kept = [await usedBy('device'), await usedBy('device')]
        await usedBy('password')
        const opened = await open(opener, 3)
        expect(await live()).toStrictEqual(new Set([...kept, opened]))
      },
    )

    it('that was lowered leaves trusted sessions and sessions by password', async () => {
      const { usedBy, open, live } = await given()
      for (let index = 0; index < 4; index += 1) await usedBy('device')
      const phone = await usedBy('device')
      for (let index = 0; index < 6; index += 1) await usedBy('password')
      const web = await usedBy('password')
      const opened = await open('passkey', 3)
      expect(await live()).toStrictEqual(new Set([phone, web, opened]))
    })

    it.each(['device', 'passkey'] as const)(
      'lets a session by a trusted %s end one of the more numerous kind',
      async (opener) => {
        const { usedBy, open, live } = await given()
        const web = await usedBy('password')
        const [first, second, third] = [await usedBy('device'), await usedBy('passkey'), await usedBy('device')]
        const opened = await open(opener, 4)
        expect(await live()).toStrictEqual(new Set([web, second, third, opened]))
        expect(await storage().sessions.byId(first)).toMatchObject({ endReason: 'too_many' })

        const flooded = await given()
        const phone = await flooded.usedBy('device')
        const [, ...rest] = [await flooded.usedBy('password'), await flooded.usedBy('password'), await flooded.usedBy('password')]
        const tablet = await flooded.open(opener, 4)
        expect(await flooded.live()).toStrictEqual(new Set([phone, ...rest, tablet]))
      },
    )

    it('applies to sessions that open at the same time, each in a transaction', async () => {
      const { userId, usedBy, live } = await given()
      const trusted = await usedBy('device')
      for (let index = 0; index < 3; index += 1) await usedBy('password')
      await Promise.all(
        Array.from({ length: 20 }, () =>
          storage().transaction(async (tx) => {
            await tx.users.admit(userId, 1)
            await tx.sessions.open(aSession({ userId, createdAt: now }), 5)
          }),
        ),
      )
      const left = await live()
      expect(left.size).toBe(5)
      expect(left).toContain(trusted)
    })
  })
}
