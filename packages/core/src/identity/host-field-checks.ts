import type { HostFieldCheck } from '../shared/check-input.ts'

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

const CALLER = 'must be the caller, as authenticate returns it'

/** Makes a check for a caller with a user id, who must also pass `fits`. */
const callerThat =
  (fits: (caller: Members) => boolean): HostFieldCheck =>
  (value) => {
    const caller = membersOf(value)
    const isBound = caller.tenants === undefined || caller.tenants === null || Array.isArray(caller.tenants)
    return Number.isSafeInteger(caller.userId) && isBound && fits(caller) ? undefined : CALLER
  }

/** Checks a caller for a use case that needs the user id only. */
export const checkCaller = callerThat(() => true)

export const checkCallerInSession = callerThat(({ sessionId }) => typeof sessionId === 'string')

/** Checks a caller whose session may be unknown. */
export const checkRequester = callerThat(({ sessionId }) => sessionId === undefined || typeof sessionId === 'string')

export const checkCallerWithEmail = callerThat(
  ({ email, sessionId }) => typeof email === 'string' && typeof sessionId === 'string',
)

export const checkCallerWithPermissions = callerThat(({ permissions }) => Array.isArray(permissions))

/** Checks a calling service. */
export const checkService: HostFieldCheck = (value) => {
  const { name, scopes, within = [] } = membersOf(value)
  return typeof name === 'string' && Array.isArray(scopes) && Array.isArray(within)
    ? undefined
    : 'must be the service, as authenticateService returns it'
}

/** Checks a caller: the word `admin`, or a caller with permissions. */
export const checkCallerOrAdmin: HostFieldCheck = (value) =>
  value === 'admin' || checkCallerWithPermissions(value) === undefined ? undefined : `${CALLER}, or admin`
