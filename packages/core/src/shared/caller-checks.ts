/** What hosts add to an input, and no caller can: who asks, and what was sent beside it. Cheap to check, as each request has it. */

/** What a member must be, where it is not. */
export type HostCheck = (value: unknown) => string | undefined

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

const CALLER = 'must be who asks, as authenticate tells'

const callerWhere =
  (isRight: (caller: Members) => boolean): HostCheck =>
  (value) => {
    const caller = membersOf(value)
    return Number.isSafeInteger(caller.userId) && isRight(caller) ? undefined : CALLER
  }

/** Somebody, of whom no more than their id is asked. */
export const aCaller = callerWhere(() => true)

/** Somebody whose session is known. */
export const aCallerInSession = callerWhere(({ sessionId }) => typeof sessionId === 'string')

/** Somebody whose email is known. */
export const aCallerWithEmail = callerWhere(({ email }) => typeof email === 'string')

/** Somebody of whom it is known what they may do. */
export const aCallerWhoMay = callerWhere(({ permissions }) => Array.isArray(permissions))

/** An admin, or somebody of whom it is known what they may do. */
export const anActor: HostCheck = (value) =>
  value === 'admin' || aCallerWhoMay(value) === undefined ? undefined : `${CALLER}, or admin`

export const aToken: HostCheck = (value) => (typeof value === 'string' ? undefined : 'must be a token')

export const aText: HostCheck = (value) => (typeof value === 'string' ? undefined : 'must be text')

/** The address of the client, in one spelling, or nothing where the host cannot tell. */
export const anAddress: HostCheck = (value) =>
  value === undefined || (typeof value === 'string' && value !== '') ? undefined : 'must be the address of the client'
