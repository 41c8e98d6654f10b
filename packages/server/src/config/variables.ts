import { userVerificationRequirements } from '@countersign/contract'
import {
  type ActionPolicy,
  allParts,
  defaultRateLimits,
  enrolments,
  type Gates,
  gateActionTypes,
  InvalidKeyRing,
  isApprovalPolicies,
  type Part,
  parseKeyRing,
  parseReceiptKeyRing,
  type Retention,
} from '@countersign/core'
import * as z from 'zod'
import { isWebOrigin, webOriginsMessage } from '../http/cors.ts'
import { isLogLevel, logLevels } from '../logging/logger.ts'
import { databaseUrlFault } from './database-url.ts'
import { rateLimitMessage, readRateLimit } from './rate-limit.ts'
import { redisUrlFault } from './redis-url.ts'

// The environment variables, with their parsers and defaults. The message for a bad value says only which values are permitted.
// So no message contains a value.

/** A variable whose text `read` parses. Where `read` returns `undefined`, the text is refused with the message. */
const variable = <T>(read: (text: string) => T | undefined, message: string) =>
  z.string().transform((text, context): T => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/** A variable whose text is kept. Where `faultOf` returns a message, the text is refused with the message. */
const textWithout = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = faultOf(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const wholeNumber = (least: number, most: number) =>
  variable((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    return value >= least && value <= most ? value : undefined
  }, `must be a whole number from ${least} to ${most}`)

const oneOf = <const T extends readonly string[]>(values: T) =>
  variable((text): T[number] | undefined => values.find((value) => value === text), `must be one of ${values.join(', ')}`)

const DAY = 86_400_000
/** 100 years. */
const MOST_DAYS = 36_525

const ringOf = <T>(parse: (text: string) => T, form: string) =>
  z.string().transform((text, context): T => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof InvalidKeyRing)) throw error
      context.addIssue({ code: 'custom', message: `must be ${form}:base64url[,${form}:base64url…] (${error.message})` })
      return z.NEVER
    }
  })

const keyRing = (rule: { readonly exactly: boolean }) => ringOf((text) => parseKeyRing(text, rule), 'kid')

/** Whole days in which records are kept, in milliseconds, or `forever`. */
const retention = variable((text): Retention | undefined => {
  if (text === 'forever') return text
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return days >= 1 && days <= MOST_DAYS ? days * DAY : undefined
}, `must be forever, or a whole number of days from 1 to ${MOST_DAYS}`)

/** Returns whether a text is a web origin, or the origin of an Android app in the form of WebAuthn. */
const isOrigin = (text: string): boolean => /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(text) || isWebOrigin(text)

/** A list of texts, separated by commas, all of which satisfy `isItem`. */
const listOf = <T extends string = string>(isItem: (text: string) => boolean, message: string) =>
  variable((text): readonly T[] | undefined => {
    const list = text.split(',').map((entry) => entry.trim())
    return list.every(isItem) ? (list as T[]) : undefined
  }, `${message}, separated by commas`)

const isPart = (text: string): boolean => allParts.some((part) => part === text)

const origins = listOf(
  isOrigin,
  'must be origins such as https://app.example.com or, for an Android app, android:apk-key-hash: and the SHA-256 of the certificate that signs the app, in base64url (43 characters)',
)
const corsOrigins = listOf(isWebOrigin, webOriginsMessage)
const parts = listOf<Part>(isPart, `must be some of ${allParts.join(', ')}`)

/** Every pair of a gate and an action type, as `COUNTERSIGN_GATES` lists them. */
const gatePairs = Object.entries(gateActionTypes).flatMap(([gate, types]) => types.map((type) => `${gate}:${type}`))

/** Gates as `project.approve:document_approval`, separated by commas. Each gate stands in the list once. */
const gates = variable(
  (text): Gates | undefined => {
    const pairs = text.split(',').map((entry) => entry.trim())
    if (!pairs.every((pair) => gatePairs.includes(pair))) return undefined
    const byGate = new Map(pairs.map((pair) => pair.split(':') as [string, string]))
    if (byGate.size !== pairs.length) return undefined
    return Object.fromEntries([...byGate].map(([gate, actionType]) => [gate, { actionType }]))
  },
  `must be some of ${gatePairs.join(', ')}, each gate once, separated by commas`,
)

/** Policies as `payment_approval:payment.approve:2`, separated by commas. Each action type stands in the list once. */
const approvalPolicies = variable((text): Readonly<Record<string, ActionPolicy>> | undefined => {
  const entries = text.split(',').map((entry): readonly [string, object] => {
    const [type = '', permission, count = '', ...more] = entry.trim().split(':')
    return [type, { permission, count: /^[1-9]\d?$/.test(count) && more.length === 0 ? Number(count) : 0 }]
  })
  const policies: object = Object.fromEntries(entries)
  return Object.keys(policies).length === entries.length && isApprovalPolicies(policies) ? policies : undefined
}, 'must be TYPE:PERMISSION:COUNT, each type once, with a count from 1 to 20, separated by commas')

/** A raw `@` is refused everywhere: what stands before it may be a password, and doctor shows the host. */
const webhookUrl = variable((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && !text.includes('@') ? url.href : undefined
}, 'must be an http or https URL without user and password; an @ in its path is written %40')

/** A URL that names the issuer of receipts. Receipts have exactly this text, so that verifiers can compare the text. */
const issuer = variable((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && [url.username, url.password, url.search, url.hash].join('') === ''
  return isPlain && (url.href === text || url.href === `${text}/`) ? text : undefined
}, 'must be an http or https URL in its normal form, without user, password, query and fragment')

/** A secret in the form of Standard Webhooks: 24 to 64 bytes. */
const webhookSecret = variable((text) => {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  const bytes = Buffer.from(base64 ?? '', 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64 ? text : undefined
}, 'must be whsec_ and 24 to 64 bytes in base64')

/** An address or host name to listen on. */
const host = variable((text) => (/^[A-Za-z0-9.:_%-]{1,255}$/.test(text) ? text : undefined), 'must be an address or a host name')

const domain = variable(
  (text) => (/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(text) ? text : undefined),
  'must be a domain in lower case, without scheme and port',
)

const label = variable((text) => (/^\P{Cc}{1,64}$/u.test(text) ? text : undefined), 'must be 1 to 64 characters')

const rateLimit = variable(readRateLimit, rateLimitMessage)

export const variables = z.object({
  COUNTERSIGN_DATABASE_URL: textWithout(databaseUrlFault).prefault('sqlite:.countersign/countersign.db'),
  COUNTERSIGN_HOST: host.prefault('127.0.0.1'),
  COUNTERSIGN_PORT: wholeNumber(0, 65_535).prefault('4000'),
  COUNTERSIGN_PARTS: parts.prefault(allParts.join(',')),
  COUNTERSIGN_JWT_KEYS: keyRing({ exactly: false }).optional(),
  COUNTERSIGN_ENCRYPTION_KEYS: keyRing({ exactly: true }).optional(),
  COUNTERSIGN_RECEIPTS: oneOf(['on', 'off']).prefault('on'),
  COUNTERSIGN_RECEIPT_KEYS: ringOf(parseReceiptKeyRing, 'ALG').optional(),
  COUNTERSIGN_RECEIPT_ISSUER: issuer.optional(),
  COUNTERSIGN_RP_ID: domain.prefault('localhost'),
  COUNTERSIGN_RP_NAME: label.prefault('Countersign'),
  COUNTERSIGN_ORIGINS: origins.optional(),
  COUNTERSIGN_CORS_ORIGINS: corsOrigins.optional(),
  COUNTERSIGN_LEAST_USER_VERIFICATION: oneOf(userVerificationRequirements).prefault('discouraged'),
  COUNTERSIGN_PASSKEY_LISTS: oneOf(['on', 'off']).prefault('on'),
  COUNTERSIGN_RATE_LIMITS: oneOf(['on', 'off']).prefault('on'),
  COUNTERSIGN_RATE_LIMIT_AUTHENTICATION: rateLimit.default(defaultRateLimits.authentication),
  COUNTERSIGN_RATE_LIMIT_BEGINNING: rateLimit.default(defaultRateLimits.beginning),
  COUNTERSIGN_RATE_LIMIT_DEVICE_REGISTRATION: rateLimit.default(defaultRateLimits['device-registration']),
  COUNTERSIGN_RATE_LIMIT_CONFIRMATION: rateLimit.default(defaultRateLimits.confirmation),
  COUNTERSIGN_RATE_LIMIT_DEVICE_MANAGEMENT: rateLimit.default(defaultRateLimits['device-management']),
  COUNTERSIGN_CHALLENGE_TTL_SECONDS: wholeNumber(1, 3600).prefault('120'),
  COUNTERSIGN_CONFIRMATION_TTL_SECONDS: wholeNumber(1, 86_400).prefault('300'),
  COUNTERSIGN_APPROVAL_MAX_AGE_SECONDS: wholeNumber(1, 86_400).prefault('600'),
  COUNTERSIGN_SESSIONS_PER_USER: wholeNumber(2, 10_000).prefault('200'),
  COUNTERSIGN_ENROLMENT: oneOf(enrolments).prefault('fresh'),
  COUNTERSIGN_FRESH_SECONDS: wholeNumber(1, 86_400).prefault('600'),
  COUNTERSIGN_COOLING_OFF_SECONDS: wholeNumber(1, 31_536_000).prefault('43200'),
  COUNTERSIGN_NUMBER_MATCHING: oneOf(['on', 'off']).prefault('off'),
  COUNTERSIGN_GATES: gates.optional(),
  COUNTERSIGN_APPROVAL_POLICIES: approvalPolicies.optional(),
  COUNTERSIGN_RETENTION_APPROVALS_DAYS: retention.prefault('3650'),
  COUNTERSIGN_RETENTION_REFUSALS_DAYS: retention.prefault('365'),
  COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS: retention.prefault('365'),
  COUNTERSIGN_RETENTION_REMOVED_PROJECTS_DAYS: retention.prefault('3650'),
  COUNTERSIGN_DATABASE_CONNECTION_MAX_AGE_SECONDS: wholeNumber(1, 86_400).prefault('1800'),
  COUNTERSIGN_DRAIN_SECONDS: wholeNumber(0, 300).optional(),
  COUNTERSIGN_REDIS_URL: textWithout(redisUrlFault).optional(),
  COUNTERSIGN_TRUST_PROXY: wholeNumber(0, 32).prefault('0'),
  COUNTERSIGN_REFRESH_LEEWAY_SECONDS: wholeNumber(0, 30).prefault('0'),
  COUNTERSIGN_RENEWAL_WINDOW_SECONDS: wholeNumber(0, 300).prefault('60'),
  COUNTERSIGN_PUSH: oneOf(['none', 'log', 'webhook']).prefault('none'),
  COUNTERSIGN_PUSH_WEBHOOK_URL: webhookUrl.optional(),
  COUNTERSIGN_PUSH_WEBHOOK_SECRET: webhookSecret.optional(),
  COUNTERSIGN_DOCS: oneOf(['on', 'off']).optional(),
  COUNTERSIGN_LOG_LEVEL: variable(
    (text) => (isLogLevel(text) ? text : undefined),
    `must be one of ${logLevels.join(', ')}`,
  ).prefault('info'),
  COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS: wholeNumber(0, 600_000).prefault('1000'),
  COUNTERSIGN_METRICS_PORT: wholeNumber(0, 65_535).optional(),
  COUNTERSIGN_METRICS_HOST: host.prefault('127.0.0.1'),
  COUNTERSIGN_LOG_ADDRESSES: oneOf(['on', 'off']).prefault('off'),
  /** Read by the command line only. */
  COUNTERSIGN_LOG_FILE: variable(
    (text) => (/^(?! )\P{Cc}+(?<! )$/u.test(text) ? text : undefined),
    'must be the path of a file, without blanks around it and control characters',
  ).optional(),
})
