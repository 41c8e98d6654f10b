import { describe, expect, it } from 'vitest'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSealedField, aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

export const sessionsContract = (storage: () => FullStorage): void => {
  describe('sessions', () => {
    it('are returned as they were opened', async () => {
      const { sessions } = storage()
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const standard = await givenSession(storage(), { userId: user.id, rememberMe: true, openedFrom: aSealedField() })
      const biometric = await givenSession(storage(), {
        userId: user.id,
        kind: 'biometric',
        authMethod: 'biometric',
        deviceId: device.id,
        lastUsedAt: later,
        rotatedAt: later,
        previousRefreshTokenId: randomUuid(systemRandom),
      })
      const host = { method: 'oidc', signedInAt: clockStart - 5, openedBy: 'shop' }
      const ofHost = await givenSession(storage(), { userId: user.id, authMethod: 'host', host, userVerified: true })
      const inProcess = { ...host, openedBy: null }
      const ofCore = await givenSession(storage(), { userId: user.id, authMethod: 'host', host: inProcess })
      for (const session of [ofHost, ofCore]) expect(await sessions.byId(session.id)).toStrictEqual(session)
      expect(await sessions.byId(standard.id)).toStrictEqual(standard)
      expect(await sessions.byId(biometric.id)).toStrictEqual(biometric)
      expect(await sessions.byId(aSession().id)).toBeUndefined()
    })

    it('are listed by the service that opened them, live and ended sessions separately', async () => {
      const { sessions } = storage()
      const { id: userId } = await givenUser(storage())
      const [service, other] = [randomUuid(systemRandom), randomUuid(systemRandom)]
      const open = (openedBy: string | null, createdAt: number) =>
        givenSession(storage(), {
          userId,
          authMethod: 'host',
          host: { method: 'oidc', signedInAt: clockStart, openedBy },
          createdAt,
        })
      const [old, , , young] = [
        await open(service, later),
        await open(other, later),
        await open(null, later),
        await open(service, later + 1),
      ]
      const idsOf = async (ended: boolean, openedBy: string) =>
        (await sessions.page({ ended, openedBy, limit: 10, now: later })).map(({ id }) => id)
      expect(await idsOf(false, service)).toStrictEqual([young?.id, old?.id])
      await sessions.end(young?.id ?? '', 'revoked', later + 2)
      expect([await idsOf(false, service), await idsOf(true, service)]).toStrictEqual([[old?.id], [young?.id]])
      expect(await idsOf(false, service.toUpperCase())).toStrictEqual([])
    })

    describe('ending the other sessions of a user', () => {
      it('ends every live session except the kept one, and no session of another user', async () => {
        const { sessions } = storage()
        const userId = (await givenUser(storage())).id
        const [kept, one, other] = [
          await givenSession(storage(), { userId }),
          await givenSession(storage(), { userId }),
          await givenSession(storage(), { userId }),
        ]
        const foreign = await givenSession(storage(), { userId: (await givenUser(storage())).id })
        await sessions.end(other.id, 'logout', later)
        expect(await sessions.endAll({ userId, except: kept.id }, 'revoked', later + 1)).toBe(1)
        expect(await sessions.byId(one.id)).toStrictEqual({ ...one, endedAt: later + 1, endReason: 'revoked' })
        expect(await sessions.byId(other.id)).toMatchObject({ endedAt: later, endReason: 'logout' })
        for (const session of [kept, foreign]) expect(await sessions.byId(session.id)).toStrictEqual(session)
        expect(await sessions.status(one.id)).toBeUndefined()
        expect(await sessions.status(kept.id)).toBeDefined()
      })
    })

    describe('ending one session', () => {
      it('succeeds for exactly one of concurrent callers', async () => {
        const { sessions } = storage()
        const session = await givenSession(storage(), { userId: (await givenUser(storage())).id })
        expect(tally(await atOnce(50, () => sessions.end(session.id, 'logout', later)), true)).toBe(1)
      })
    })

    describe('ending all sessions', () => {
      it('of a user ends the live sessions of that user only', async () => {
        const { sessions } = storage()
        const user = await givenUser(storage())
        const bystander = await givenSession(storage(), { userId: (await givenUser(storage())).id })
        const ended = await givenSession(storage(), { userId: user.id })
        await sessions.end(ended.id, 'logout', later)
        const live = [await givenSession(storage(), { userId: user.id }), await givenSession(storage(), { userId: user.id })]
        expect(await sessions.endAll({ userId: user.id }, 'password_changed', later + 1)).toBe(2)
        for (const { id } of live) {
          expect(await sessions.byId(id)).toMatchObject({ endedAt: later + 1, endReason: 'password_changed' })
        }
        expect(await sessions.byId(ended.id)).toMatchObject({ endedAt: later, endReason: 'logout' })
        expect(await sessions.byId(bystander.id)).toStrictEqual(bystander)
        expect(await sessions.endAll({ userId: user.id }, 'password_changed', later + 2)).toBe(0)
      })
    })
  })
}
