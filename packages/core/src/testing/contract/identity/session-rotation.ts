import { describe, expect, it } from 'vitest'
import type { RepeatedRotation, Rotation, Session } from '../../../identity/records/session.ts'
import { days, minutes } from '../../../shared/clock.ts'
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
  keyHash: null,
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
        renewalKeyHash: null,
        rotatedAt: later,
        lastUsedAt: later,
        refreshExpiresAt: rotation.expiresAt,
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

    it('is possible before the expiry, and not from that millisecond on', async () => {
      const { sessions } = storage()
      const session = await given()
      expect(await sessions.rotate(rotationOf(session, { now: session.refreshExpiresAt }))).toBe(false)
      expect(await sessions.byId(session.id)).toStrictEqual(session)
      expect(await sessions.rotate(rotationOf(session, { now: session.refreshExpiresAt - 1 }))).toBe(true)
    })

    it('never revives an ended session, whether the end or the rotation comes first', async () => {
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

  describe('repeating a rotation', () => {
    const minute = minutes(1)

    /** Returns a session after its rotation, and the question for that rotation. */
    const rotated = async (keyHash: string | null) => {
      const { sessions } = storage()
      const session = await givenSession(storage(), { userId: (await givenUser(storage())).id })
      const rotation = rotationOf(session, { keyHash })
      await sessions.rotate(rotation)
      const repeated = { sessionId: session.id, fromTokenId: rotation.fromTokenId, now: later }
      const askedWith = (key: string | null, overrides: Partial<RepeatedRotation> = {}) =>
        sessions.rotatedBefore({ ...repeated, admitted: [{ keyHash: key, within: minute }], ...overrides })
      return { session, rotation, askedWith }
    }

    it('returns the session with the successor token, only for the key hash of the rotation', async () => {
      const { session, rotation, askedWith } = await rotated('key')
      expect(await askedWith('key')).toStrictEqual({
        ...session,
        refreshTokenId: rotation.toTokenId,
        previousRefreshTokenId: session.refreshTokenId,
        renewalKeyHash: 'key',
        rotatedAt: later,
        lastUsedAt: later,
        refreshExpiresAt: rotation.expiresAt,
      })
      expect(await askedWith('another key')).toBeUndefined()
      expect(await askedWith(null)).toBeUndefined()
    })

    it('uses the time limit of the hash that matches', async () => {
      const { askedWith } = await rotated('key')
      const without = { keyHash: null, within: days(1) }
      const withKey = { keyHash: 'key', within: minute }
      const now = later + minute
      expect(await askedWith('key', { admitted: [without, withKey], now })).toBeDefined()
      expect(await askedWith('key', { admitted: [without, withKey], now: now + 1 })).toBeUndefined()
      expect(await askedWith('key', { admitted: [without], now })).toBeUndefined()
      expect(await askedWith('key', { admitted: [], now })).toBeUndefined()
    })

    it('returns the same successor to each of fifty concurrent callers with one key', async () => {
      const { sessions } = storage()
      const session = await givenSession(storage(), { userId: (await givenUser(storage())).id })
      const { id: sessionId, refreshTokenId: fromTokenId } = session
      const admitted = [{ keyHash: 'key', within: minute }]
      const successors = await atOnce(50, async () => {
        const rotation = rotationOf(session, { keyHash: 'key' })
        if (await sessions.rotate(rotation)) return rotation.toTokenId
        return (await sessions.rotatedBefore({ sessionId, fromTokenId, admitted, now: later }))?.refreshTokenId
      })
      expect(new Set(successors)).toStrictEqual(new Set([(await sessions.byId(sessionId))?.refreshTokenId]))
    })
  })
}
