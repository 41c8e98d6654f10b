import type { OperationName } from '@countersign/contract'

type Is = (value: unknown) => boolean

/** Members, and what each must be. */
interface Members {
  readonly [name: string]: Is | Members
}

/** Tokens, ids and challenges: what any header and path can carry. */
const isText: Is = (value) => typeof value === 'string' && /^[!-~]+$/.test(value)

const isTimestamp: Is = (value) => Date.parse(value as string) > 0

const isNumber: Is = (value) => typeof value === 'number'

/** Each list that the client goes through is one of things with an id. */
const isList: Is = (value) => Array.isArray(value) && value.every((one) => fits(one, { id: isText }))

const isStatus: Is = (value) => /^(?:pending|approved|rejected|expired)$/.test(value as string)

const pair: Members = {
  accessToken: isText,
  refreshToken: isText,
  accessTokenExpiresAt: isTimestamp,
  refreshTokenExpiresAt: isTimestamp,
}

const challenge: Members = { sessionId: isText, challenge: isText }

/** What the client itself reads of an answer, and no more: the rest is the caller's, and may grow. */
const read: { readonly [N in OperationName]?: Members } = {
  'auth.login': pair,
  'auth.refresh': pair,
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

/**
 * Whether an answer has what the client reads of it, and is an object at all, as every answer is. Something between client and
 * service may answer 200 to anything, and what it says must not be taken for tokens.
 */
export const isExpected = (name: OperationName, output: unknown): boolean => fits(output, read[name] ?? {})
