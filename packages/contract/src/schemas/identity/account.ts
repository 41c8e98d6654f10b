import * as z from 'zod'
import { limits } from '../../limits.ts'
import { authMethods, passwordCodeKinds, trustLevels } from '../../vocabulary.ts'
import { extended } from '../extended.ts'
import {
  acknowledgement,
  characterCount,
  givenTimestamp,
  hostChosenName,
  isStorable,
  nextCursor,
  oneOf,
  pageMembers,
  rememberMe,
  text,
  timestamp,
  trueOrFalse,
  userId,
  uuid,
} from '../fields.ts'
import { tokenPair } from './auth.ts'

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

/** Longer than a code, because people type hyphens and spaces. */
const oneTimeCode = text(1, 64, 'must be a one-time code')

const userTakes = 'must be a user, named by exactly one of id, directoryId and email'

/** Names a user by the id in Countersign, by the id in the directory of the host, or by the email. */
export const namedUser = z
  .object(
    {
      id: userId.optional(),
      directoryId: text(1, 255).optional(),
      email: text(1, 320, 'must be an email address').optional(),
    },
    { error: userTakes },
  )
  .refine(({ id, directoryId, email }) => [id, directoryId, email].filter((one) => one !== undefined).length === 1, {
    error: userTakes,
  })

const addressTakes = 'must be an IP address'

/** The members that describe the sign-in of a user at the host. */
export const hostSignIn = {
  /** The name that the host gives the way to sign in, such as `oidc`. */
  method: hostChosenName,
  userVerified: trueOrFalse.optional(),
  rememberMe,
} as const

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
    hostSignIn: extended(
      z
        .object({ method: z.string(), signedInAt: timestamp, userVerified: z.boolean(), openedBy: z.string().nullable() })
        .nullable(),
    ),
  })
  .meta({ id: 'Session' })

/** The person who is signed in, and what the session of the request may do now. */
const ownAccount = z
  .object({
    user: z.object({
      id: userId,
      /** Null for a user of the host's directory who has none. */
      email: z.string().nullable(),
      name: z.string(),
      permissions: z.array(z.string()).meta({ description: 'The permissions that hold everywhere' }),
      tenants: z
        .record(z.string(), z.array(z.string()))
        .meta({ description: 'The permissions that hold in one tenant only, by tenant: of at most 100 tenants' }),
      tenantsTruncated: z.literal(true).optional().meta({ description: 'Present if there are more tenants' }),
    }),
    session: ownSession,
    trust: oneOf(trustLevels),
    can: z.object({
      approve: z.boolean().meta({ description: 'Whether a signature of this session counts now' }),
      enrol: z.boolean().meta({ description: 'Whether a device that this session registers now is trusted at once' }),
      passkeys: z.boolean().meta({ description: 'Whether the user can add a passkey' }),
      password: z.boolean().meta({ description: 'Whether this session can change the password of the user here' }),
    }),
  })
  .meta({ id: 'OwnAccount' })

export const accountShapes = {
  'password.change': { input: z.object({ currentPassword: text(1, 1024), newPassword }), output: acknowledgement },
  'password.forgot': {
    // Any text: an email that nobody can have gets the same answer as the email of an account.
    input: z.object({ email: text(1, 320), languages: text(0, 4096).optional() }),
    output: acknowledgement,
  },
  'password.checkCode': {
    input: z.object({ code: oneTimeCode }),
    output: z
      .object({
        kind: oneOf(passwordCodeKinds),
        email: z.string().meta({ description: 'The first letter and the host of the email of the user: `a…@example.com`' }),
        expiresAt: timestamp,
      })
      .meta({ id: 'CheckedCode' }),
  },
  'password.redeem': {
    input: z.object({
      code: oneTimeCode,
      newPassword,
      signIn: trueOrFalse.optional().meta({ description: 'True to open a session too, as a login with the new password does' }),
    }),
    output: acknowledgement.extend({ tokens: tokenPair.optional().meta({ description: 'Present with `signIn: true`' }) }),
  },
  'account.me': { input: z.object({}), output: ownAccount },
  'account.lock': { input: z.object({}), output: acknowledgement },
  'sessions.list': {
    input: z.object(pageMembers(limits.sessionsPerPage.max)),
    output: z.object({ sessions: z.array(ownSession), nextCursor }),
  },
  'sessions.open': {
    input: z.object({
      user: namedUser,
      signedInAt: givenTimestamp,
      ...hostSignIn,
      /** The address of the user's client, not of the calling service. IPv6 may be cut to a network. */
      address: z.union([z.ipv4(), z.ipv6(), z.cidrv6()], { error: addressTakes }).optional(),
      userAgent: text(1, 4096).optional(),
    }),
    output: tokenPair.extend({ sessionId: extended(uuid) }).meta({ id: 'OpenedSession' }),
  },
  'sessions.end': { input: z.object({ sessionId: uuid }), output: acknowledgement },
  'sessions.endOthers': { input: z.object({}), output: acknowledgement },
} as const
