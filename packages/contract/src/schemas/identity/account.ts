import * as z from 'zod'
import { limits } from '../../limits.ts'
import { authMethods } from '../../vocabulary.ts'
import { acknowledgement, characterCount, isStorable, queryInteger, text, timestamp, uuid } from '../fields.ts'

const { min, max } = limits.passwordCharacters
const newPasswordTakes = `must be ${min} to ${max} characters`

/** The most code units of a new password as typed. Several code points may make one character of the NFKC form. */
const MOST_TYPED = 1024

/** Returns whether a new password has an accepted length in its NFKC form, which is what is hashed. */
export const hasPasswordLength = (password: string): boolean => {
  if (password.length > MOST_TYPED) return false
  const count = characterCount(password.normalize('NFKC'))
  return count >= min && count <= max
}

const newPassword = z
  .string({ error: newPasswordTakes })
  .refine((password) => hasPasswordLength(password) && isStorable(password), { error: newPasswordTakes })
  .meta({ maxLength: MOST_TYPED, description: `must be ${min} to ${max} characters in the NFKC form, which is what is hashed` })

const { max: maxPageSize } = limits.sessionsPerPage

const ownSession = z
  .object({
    id: uuid,
    current: z.boolean().meta({ description: 'Whether this is the session of the request' }),
    kind: z.enum(['standard', 'biometric']),
    authMethod: z.enum(authMethods),
    deviceId: uuid.nullable(),
    createdAt: timestamp,
    lastUsedAt: timestamp,
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' })

/** The operations on the password and the sessions of the user. */
export const accountShapes = {
  'password.change': {
    input: z.object({ currentPassword: text(1, 1024), newPassword }),
    output: acknowledgement,
  },
  'password.redeem': {
    // Longer than a code, because people type hyphens and spaces.
    input: z.object({ code: text(1, 64, 'must be a one-time code'), newPassword }),
    output: acknowledgement,
  },
  'account.lock': { input: z.object({}), output: acknowledgement },
  'sessions.list': {
    input: z.object({
      limit: queryInteger(1, maxPageSize, `must be an integer from 1 to ${maxPageSize}`).optional(),
      cursor: text(1, 128, 'must be the nextCursor of a page').optional(),
    }),
    output: z.object({
      sessions: z.array(ownSession),
      nextCursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last page' }),
    }),
  },
  'sessions.end': { input: z.object({ sessionId: uuid }), output: acknowledgement },
  'sessions.endOthers': { input: z.object({}), output: acknowledgement },
} as const
