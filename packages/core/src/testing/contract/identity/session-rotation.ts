import { describe, expect, it } from 'vitest'
import type { Session } from '../../../identity/sessions/session.ts'
import type { Rotation } from '../../../identity/sessions/store.ts'
import { days } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

/** Returns the rotation of a session's current token to a new one. */
const rotationOf = (session: Session, overrides: Partial<Rotation> = {}): Rotation => ({
  sessionId: session.id,
  fromTokenId: session.refreshTokenId,
  toTokenId: aSession().refreshTokenId,
  expiresAt: later + days(3),
  now: later,
  ...overrides,
})

export const sessionRotationContract = (storage: () => FullStorage): void => {
  describe('rotating a refresh token', () => {
    const given = async () => givenSession(storage(), { userId: (await givenUser(storage())).id })

    it('stores the new token and remembers the old one', async () => {
      const { sessions } = storage()
      const session = await given()
      const rotation = rotationOf(session)
      expect(await sessions.rotate(rotation)).toBe(true)
      expect(await sessions.byId(session.id)).toStrictEqual({
        ...session,
        refreshTokenId: rotation.toTokenId,
        previousRefreshTokenId: session.refreshTokenId,
        rotatedAt: later,
        lastUsedAt: later,
        refreshExpiresAt: rotation.expiresAt,
      })
    })

    it('works with the new token next, and never with the old one again', async () => {
      const { sessions } = storage()
      const session = await given()
      const first = rotationOf(session)
      await sessions.rotate(first)
      expect(await sessions.rotate(rotationOf(session))).toBe(false)
      const second = rotationOf(session, { fromTokenId: first.toTokenId, now: later + 1 })
      expect(await sessions.rotate(second)).toBe(true)
      expect(await sessions.rotate(rotationOf(session))).toBe(false)
      expect(await sessions.rotate(rotationOf(session, { fromTokenId: first.toTokenId }))).toBe(false)
      expect(await sessions.byId(session.id)).toMatchObject({
        refreshTokenId: second.toTokenId,
        previousRefreshTokenId: first.toTokenId,
      })
    })

    it('succeeds for exactly one of concurrent callers', async () => {
      const { sessions } = storage()
      const session = await given()
      const rotations = Array.from({ length: 50 }, () => rotationOf(session))
      const outcomes = await Promise.all(rotations.map((rotation) => sessions.rotate(rotation)))
      expect(tally(outcomes, true)).toBe(1)
      expect(await sessions.byId(session.id)).toMatchObject({ refreshTokenId: rotations[outcomes.indexOf(true)]?.toTokenId })
    })

    it('changes nothing when the token is not the current one', async () => {
      const { sessions } = storage()
      const session = await given()
      expect(await sessions.rotate(rotationOf(session, { fromTokenId: aSession().refreshTokenId }))).toBe(false)
      expect(await sessions.rotate(rotationOf(session, { sessionId: aSession().id }))).toBe(false)
      expect(await sessions.byId(session.id)).toStrictEqual(session)
    })

    it('needs the token of this session', async () => {
      const { sessions } = storage()
      const [session, other] = [await given(), await given()]
      expect(await sessions.rotate(rotationOf(session, { fromTokenId: other.refreshTokenId }))).toBe(false)
      expect(await sessions.byId(other.id)).toStrictEqual(other)
    })

    it('is possible before the expiry, and not from that millisecond on', async () => {
      const { sessions } = storage()
      const session = await given()
      expect(await sessions.rotate(rotationOf(session, { now: session.refreshExpiresAt }))).toBe(false)
      expect(await sessions.byId(session.id)).toStrictEqual(session)
      expect(await sessions.rotate(rotationOf(session, { now: session.refreshExpiresAt - 1 }))).toBe(true)
    })

    it('is not possible after the end of the session', async () => {
      const { sessions } = storage()
      const session = await given()
      await sessions.end(session.id, 'logout', later)
      expect(await sessions.rotate(rotationOf(session))).toBe(false)
      expect(await sessions.byId(session.id)).toStrictEqual({ ...session, endedAt: later, endReason: 'logout' })
    })

    it('never revives an ended session, whichever of the two comes first', async () => {
      const { sessions } = storage()
      const session = await given()
      const rotations = () => atOnce(10, () => sessions.rotate(rotationOf(session)))
      const [, ended] = await Promise.all([rotations(), sessions.end(session.id, 'logout', later), rotations()])
      expect(ended).toBe(true)
      const left = await sessions.byId(session.id)
      expect(left?.endedAt).toBe(later)
      expect(await sessions.rotate(rotationOf(session, { fromTokenId: left?.refreshTokenId ?? '' }))).toBe(false)
    })
  })
}
