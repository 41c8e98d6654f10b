import type { ExpressionBuilder } from 'kysely'
import { deleting, deletingRecords, type SweepStep } from '../shared/sweep.ts'
import type { Tables } from '../tables/index.ts'
import { SESSION_KEPT, sweepExpiredSessions } from './sessions/sweep-expired-sessions.ts'

const HOUR = 3_600_000
/** Used and expired challenges of users are kept, so that they can be distinguished from unknown ones. */
const USERS_CHALLENGES_KEPT = 24 * HOUR
const LOGIN_FAILURES_KEPT = 24 * HOUR
/** Idle rate limits are kept a while, so that the sweep never deletes one that a request has just used. */
const IDLE_LIMITS_KEPT = HOUR

const isOfErasedUser = (the: ExpressionBuilder<Tables, 'challenges' | 'user_handles'>) =>
  the('user_id', 'in', the.selectFrom('users').select('users.id').where('users.erased_at', 'is not', null))

/** The steps that sweep the tables of identity, except the records that approvals need. */
export const identitySweep: readonly SweepStep[] = [
  deleting('challenges', 'challenges', ['id'], (the, now) => the.and([the('expires_at', '<=', now), the('user_id', 'is', null)])),
  deleting('challenges', 'challenges', ['id'], (the, now) =>
    the.and([the('expires_at', '<', now - USERS_CHALLENGES_KEPT), the('user_id', 'is not', null)]),
  ),
  // Earlier versions could store these rows for a user at the time of the deletion.
  deleting('challenges', 'challenges', ['id'], isOfErasedUser),
  deleting('userHandles', 'user_handles', ['user_id'], isOfErasedUser),
  deleting('oneTimeCodes', 'one_time_codes', ['user_id', 'kind', 'slot'], (the, now) => the('expires_at', '<=', now)),
  deleting('delegations', 'delegations', ['from_user', 'to_user', 'permission'], (the, now) => the('until_at', '<=', now)),
  sweepExpiredSessions,
  deleting('sessions', 'sessions', ['id'], (the, now) => the('ended_at', '<', now - SESSION_KEPT)),
  deleting('loginFailures', 'login_failures', ['account'], (the, now) =>
    the.and([the('last_at', '<', now - LOGIN_FAILURES_KEPT), the('known_until', '<=', now)]),
  ),
  deleting('loginFailures', 'login_ceilings', ['account'], (the, now) => the('full_at', '<', now - LOGIN_FAILURES_KEPT)),
  deleting('rateLimits', 'rate_limit_states', ['key'], (the, now) => the('idle_at', '<', now - IDLE_LIMITS_KEPT)),
  // A revoked token stays until it has expired: a token without a row would only be unknown.
  deletingRecords({ kind: 'serviceTokens', retention: 'serviceTokens' }, 'service_tokens', ['id'], (the, before) =>
    the('expires_at', '<', before),
  ),
]
