import * as z from 'zod'
import { limits } from '../limits.ts'
import { deviceRegistrars, deviceTypes, keyAlgorithms } from '../vocabulary.ts'
import { extended } from './extended.ts'

/** The fields that several operations share. Each message says what the field takes, and never repeats a value. */

/** Counts the Unicode code points of a text, as JSON Schema does. */
export const characterCount = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const utf8 = new TextEncoder()

/** Returns whether every database can store the text: no NUL and no unpaired surrogate. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** Returns whether the text has at most `max` code points. It never has more of them than code units, so most need no counting. */
const isWithin = (value: string, max: number): boolean =>
  value.length <= max || (value.length <= 2 * max && characterCount(value) <= max)

/** Storable text of `min` to `max` code points. */
export const text = (min: number, max: number, takes = `must be text of ${min} to ${max} characters`) =>
  z
    .string({ error: takes })
    .refine((value) => value.length >= min && isWithin(value, max) && isStorable(value), { error: takes })
    .meta({ minLength: min, maxLength: max })

/** Text of the form of a pattern. */
export const matching = (pattern: RegExp, takes: string) => z.string({ error: takes }).regex(pattern, { error: takes })

/** Half of a surrogate pair, or a control character other than tab, line feed and carriage return. */
const UNSTORABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u

/** Text of `min` to `max` characters that every database keeps unchanged: without control characters except white space. */
export const plainText = (
  min: number,
  max: number,
  takes = `must be text of ${min} to ${max} characters without control characters`,
) => text(min, max, takes).refine((value) => !UNSTORABLE.test(value), { error: takes })

/** A whole number of a query, as text or from a host as a number; at most the largest safe integer (RFC 8259 §6). */
export const queryInteger = (min: number, max: number, takes: string) =>
  z
    .union([z.number({ error: takes }).refine((value) => Number.isInteger(value), { error: takes }), matching(/^\d+$/, takes)], {
      error: takes,
    })
    .transform((value) => Math.min(Number(value), Number.MAX_SAFE_INTEGER))
    .refine((value) => value >= min && value <= max, { error: takes })
    .meta({ type: 'integer', minimum: min, maximum: max })

/** The members of an input that name a page of a list: at most `max` entries, after the `nextCursor` of the page before. */
export const pageMembers = (max: number) => ({
  limit: queryInteger(1, max, `must be an integer from 1 to ${max}`).optional(),
  cursor: text(1, 128, 'must be the nextCursor of a page').optional(),
})

/** The member of an output that names the next page. */
export const nextCursor = z.string().nullable().meta({ description: 'The cursor of the next page; null on the last page' })

/** The currency of an amount: three capital letters, as in ISO 4217. */
export const currency = matching(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

export const oneOfInAnyCase = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .custom<T[number] | Uppercase<T[number]>>((value) => typeof value === 'string', {
      error: `must be one of ${values.join(', ')}`,
    })
    .transform((value) => value.toLowerCase())
    .pipe(oneOf(values))
    .meta({ type: 'string', enum: [...values] })

/** A secret that a client makes for one renewal and sends with each try; at least 128 random bits. */
export const renewalKey = matching(/^[A-Za-z0-9_-]{22,86}$/, 'must be 22 to 86 characters of base64url').optional()

/** A member under its earlier name, which the OpenAPI document leaves out. Ignoring it would widen what is asked or shown. */
export const renamedTo = (name: string) => z.never({ error: `is now ${name}` }).optional()

/** The name of a tenant, of an operation, or of a way to sign in at the host. */
export const hostChosenName = matching(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 characters of A-Z, a-z, 0-9 and . _ : -')

export const trueOrFalse = z.boolean({ error: 'must be true or false' })

export const userId = z.int({ error: 'must be the id of a user' })

export const uuid = z.guid({ error: 'must be a UUID' }).toLowerCase()

/** ISO 8601 timestamp in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ error: 'must be an ISO 8601 UTC timestamp' })

const givenTimestampTakes = 'must be an ISO 8601 timestamp such as 2026-01-31T09:30:00Z'
const firstYear = Date.parse('0001-01-01T00:00:00.000Z')
const lastYear = Date.parse('9999-12-31T23:59:59.999Z')

/** A time that a caller writes: ISO 8601 with `Z` or an offset, in the years 1 to 9999. Java leaves out zero seconds. */
export const givenTimestamp = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], { error: givenTimestampTakes })
  .refine((value) => Date.parse(value) >= firstYear && Date.parse(value) <= lastYear, { error: givenTimestampTakes })

/** 64 bytes as padded standard base64. */
export const challenge = z.string().regex(/^[A-Za-z0-9+/]{86}==$/)

/** The nonce of a device's challenge, in extended answers, with which a signer computes the challenge again. */
export const extendedNonce = extended(challenge)

const deviceNameTakes = 'must be 1 to 255 letters, digits, spaces, hyphens or apostrophes'

/** Returns the first character that a device name cannot have, such as `U+0028`, which reveals little. */
const refusedCharacter = (value: unknown): string | undefined => {
  const [character] = /[^\p{L}\p{M}\p{N} '’-]/u.exec(String(value)) ?? []
  return character && `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

export const deviceName = z.string({ error: deviceNameTakes }).regex(/^[\p{L}\p{M}\p{N} '’-]{1,255}$/u, {
  error: ({ input }) => {
    const refused = refusedCharacter(input)
    return refused === undefined ? deviceNameTakes : `${deviceNameTakes}, not ${refused}`
  },
})

export const deviceType = oneOf(deviceTypes)
export const keyAlgorithm = oneOf(keyAlgorithms)
/** The page that registers a device, if it says so. What the approver registers may have to approve with a passkey. */
export const registeredWith = oneOf(deviceRegistrars)
export const deviceFingerprint = text(1, limits.deviceFingerprintCharacters)

const publicKeyTakes = 'must be one PEM public key of at most 10 KB'
export const publicKey = z
  .string({ error: publicKeyTakes })
  .min(1, { error: publicKeyTakes })
  .refine((value) => value.length <= limits.publicKeyBytes && utf8.encode(value).length <= limits.publicKeyBytes, {
    error: publicKeyTakes,
  })
  .meta({ maxLength: limits.publicKeyBytes })

/** A signature as text. The decoder checks the alphabet. */
export const signedChallenge = text(1, 4096, 'must be a signature in base64 or base64url')

/** Bytes as text, at most `maxBytes`. The decoder checks the alphabet. */
export const binary = (maxBytes: number, what: string, minCharacters = 1) =>
  text(minCharacters, Math.ceil(maxBytes / 3) * 4, `must be ${what} in base64 or base64url`)

/** Bytes as base64url without padding, as in responses. */
export const base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/)

/** A JSON Web Token as text. The token check verifies everything else. */
export const token = text(1, limits.tokenBytes, 'must be a token')

export const rememberMe = trueOrFalse.optional()

const requiredGroup = z.object({ permission: z.string(), count: z.int() })
/** The policy of the approval request that a gated call needs; `null` if the caller approves alone. */
const requiredPolicy = z
  .union([requiredGroup, z.object({ groups: z.literal('none').or(z.array(requiredGroup)) }), z.object({ digest: z.string() })])
  .nullable()

/** The action that a gated call needs an approval of: `details` of the error `CONFIRMATION_REQUIRED`. */
export const requiredAction = z
  .object({
    actionType: z.string(),
    actionPayload: z.record(z.string(), z.unknown()),
    operation: z.string().nullable(),
    tenant: z.string().nullable(),
    policy: requiredPolicy,
  })
  .meta({ id: 'RequiredAction' })

export const acknowledgement = z.object({ success: z.literal(true), message: z.string() })

/** A one-time code that makes the new device or passkey trusted. */
export const enrolmentCode = text(1, 100, 'must be an enrolment code').optional()

/** The trust of a device or passkey, in extended answers. */
export const extendedTrust = {
  trusted: extended(z.boolean()),
  /** The time from which the device or passkey is trusted; `null` while it waits to be vouched for. */
  trustedAt: extended(timestamp.nullable()),
}

/** A vouching that waits for a trusted device. The page that registers shows the number; a caller who could approve gets `null`. */
const vouching = { confirmationId: z.string(), matchNumber: z.string().nullable() }

/** The vouching for a device or passkey, as the side that shows its number reads it. */
export const vouchingState = z.object({
  status: oneOf(['pending', 'approved', 'rejected', 'expired', 'none']),
  /** The number in force; `null` unless the vouching is pending, and for a session that could approve it. */
  matchNumber: z.string().nullable(),
  expiresAt: timestamp.nullable(),
  /** How often the vouching can be started again now. The number of restarts in a day is limited. */
  triesLeft: z.int(),
})

export const startedVouching = z.object({ ...vouching, expiresAt: timestamp })

/** The vouching for a new device or passkey, in extended answers; absent if none was started. */
export const extendedVouching = {
  confirmationId: extended(vouching.confirmationId),
  matchNumber: extended(vouching.matchNumber),
}
