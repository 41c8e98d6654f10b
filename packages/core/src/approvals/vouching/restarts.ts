import type { Session } from '../../identity/records/session.ts'
import { hours, type Instant, timeBetween } from '../../shared/clock.ts'
import { errorOf } from '../../shared/errors.ts'
import type { Vouching, VouchingSubject } from '../records/vouching.ts'

type Restarts = Pick<Vouching, 'restarts' | 'restartsSince'>

/** How often the vouching for one device or passkey can be started again in a day, by whomever. */
const RESTARTS_PER_DAY = 3
const DAY = hours(24)

/** The vouching for this device or passkey was started again too often in a day. */
export class TooManyVouchings extends errorOf('too_many_vouchings') {}

/** The restarts of a vouching that was never started again. */
export const noRestarts: Restarts = { restarts: 0, restartsSince: null }

const restartsAt = (vouching: Restarts | undefined, now: Instant): Restarts =>
  vouching === undefined || vouching.restartsSince === null || timeBetween(vouching.restartsSince, now) >= DAY
    ? noRestarts
    : vouching

export const triesLeft = (vouching: Restarts | undefined, now: Instant): number =>
  RESTARTS_PER_DAY - restartsAt(vouching, now).restarts

/** Counts one more restart. @throws TooManyVouchings */
export const withRestart = (vouching: Restarts | undefined, now: Instant): Restarts => {
  const { restarts, restartsSince } = restartsAt(vouching, now)
  const since = restartsSince ?? now
  if (restarts >= RESTARTS_PER_DAY) throw new TooManyVouchings(DAY - timeBetween(since, now))
  return { restarts: restarts + 1, restartsSince: since }
}

type Subject = Pick<VouchingSubject, 'kind' | 'subjectId'>

/** Returns whether the device or passkey itself opened a session. */
export const isOwnSession = (session: Session | undefined, { kind, subjectId }: Subject): boolean =>
  (kind === 'device' ? session?.deviceId : session?.passkeyId) === subjectId

/** Returns whether a session is one of the new device or passkey, or the session that registered it. */
export const isOfSubject = (session: Session | undefined, subject: Subject, vouching: Vouching | undefined): boolean =>
  session !== undefined && (isOwnSession(session, subject) || vouching?.registeredBy === session.id)
