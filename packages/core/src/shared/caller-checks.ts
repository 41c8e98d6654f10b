/**
 * Checks of the fields that a host adds to an input, such as the caller. Clients cannot send these fields. The checks are
 * plain functions because every request runs them.
 */

/** Returns the error message for a value; `undefined` if the value is right. */
export type HostFieldCheck = (value: unknown) => string | undefined

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

const CALLER = 'must be who asks, as authenticate tells'

/** Makes a check for a caller with a user id, who must also pass `isRight`. */
const callerThat =
  (isRight: (caller: Members) => boolean): HostFieldCheck =>
  (value) => {
    const caller = membersOf(value)
    return Number.isSafeInteger(caller.userId) && isRight(caller) ? undefined : CALLER
  }

/** Checks a caller of whom the use case needs the user id only. */
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
  const { name, scopes } = membersOf(value)
  return typeof name === 'string' && Array.isArray(scopes) ? undefined : 'must be the service, as authenticateService tells'
}

/** Checks a caller: the word `admin`, or a caller with permissions. */
export const checkCallerOrAdmin: HostFieldCheck = (value) =>
  value === 'admin' || checkCallerWithPermissions(value) === undefined ? undefined : `${CALLER}, or admin`

export const checkToken: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be a token')

export const checkText: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be text')

/** Checks the client's IP address. `undefined` is right: some hosts cannot know the address. */
export const checkAddress: HostFieldCheck = (value) =>
  value === undefined || (typeof value === 'string' && value !== '') ? undefined : 'must be the address of the client'

/** Checks a choice of the host. `undefined` leaves the default. */
export const checkChoice: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false'

/** Checks the header `User-Agent`. `undefined` is right: some clients send none. */
export const checkUserAgent: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'string' ? undefined : 'must be the user agent of the client'
