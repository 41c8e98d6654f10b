import type { OperationName } from '@countersign/contract'

type Is = (value: unknown) => boolean

interface Members {
  readonly [name: string]: Is | Members
}

/** Returns whether the value is a token, an id or a challenge: text that any header and path can carry. */
const isText: Is = (value) => typeof value === 'string' && /^[!-~]+$/.test(value)

const isTimestamp: Is = (value) => Date.parse(value as string) > 0

const isNumber: Is = (value) => typeof value === 'number'

/** Returns whether the value is a list of objects with ids, as the lists that the client iterates. */
const isList: Is = (value) => Array.isArray(value) && value.every((one) => fits(one, { id: isText }))

const isStatus: Is = (value) => /^(?:pending|approved|rejected|expired)$/.test(value as string)

const pair: Members = {
  accessToken: isText,
  refreshToken: isText,
  accessTokenExpiresAt: isTimestamp,
  refreshTokenExpiresAt: isTimestamp,
}

const challenge: Members = { sessionId: isText, challenge: isText }

/** The members of each output that the client itself reads. All other members are for the caller, and may change. */
const read: { readonly [N in OperationName]?: Members } = {
  'auth.login': pair,
  'auth.refresh': pair,
  'password.redeem': { tokens: (value) => value === undefined || fits(value, pair) },
  'passkeys.finishLogin': pair,
  'mobile.finishLogin': { tokens: pair },
  'mobile.refresh': { tokens: pair },
  'mobile.beginLogin': challenge,
  'devices.beginRegistration': challenge,
  'confirmations.initiate': { confirmationId: isText },
  'confirmations.status': { status: isStatus },
  'projects.list': { data: isList, meta: { page: isNumber, totalPages: isNumber } },
}

const fits = (value: unknown, wanted: Is | Members): boolean => {
  if (typeof wanted === 'function') return wanted(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(wanted).every(([name, one]) => fits((value as Readonly<Record<string, unknown>>)[name], one))
}

/** Returns whether the output has the members that the client reads. Another server may answer 200 to any request. */
export const isExpected = (name: OperationName, output: unknown): boolean => fits(output, read[name] ?? {})
