import type { z } from 'zod'
import { StartupError } from '../startup-error.ts'
import { type Config, nodeEnvironments, type PushConfig } from './config.ts'
import { misspelled, unknownVariables } from './unknown-variables.ts'
import { variables } from './variables.ts'

/** Variables and their values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

type Variables = z.output<typeof variables>

const PRODUCTION_DRAIN_SECONDS = 5

/** Names a set variable whose name differs from the missing one only by marks and blanks, such as a byte order mark. */
const nearMiss = (env: Environment, missing: string): string => {
  const found = misspelled(env).find(({ nearest }) => nearest === missing)
  return found === undefined ? '' : `; ${found.name} is set, whose name has marks or blanks too many`
}

/** Reads `NODE_ENV`. Only the exact value `production` is production: `production` and a carriage return is not. */
export const readNodeEnv = ({ NODE_ENV: given }: Environment): Pick<Config, 'production' | 'nodeEnv'> => ({
  production: given === 'production',
  nodeEnv: given ? (nodeEnvironments.find((known) => known === given) ?? 'unknown') : 'unset',
})

/** Returns a line for each variable that another setting requires and that is missing. */
const missing = (env: Environment): readonly string[] => {
  const needed = (names: readonly string[], why: string) =>
    names.filter((name) => env[name] === undefined).map((name) => `${name}: must be set ${why}${nearMiss(env, name)}`)
  return [
    ...(env.NODE_ENV === 'production' ? needed(['COUNTERSIGN_DATABASE_URL'], 'in production') : []),
    ...(env.NODE_ENV === 'production'
      ? needed(['COUNTERSIGN_JWT_KEYS', 'COUNTERSIGN_ENCRYPTION_KEYS'], 'in production; `countersign keys generate` makes one')
      : []),
    ...(env.NODE_ENV === 'production' && env.COUNTERSIGN_RECEIPT_KEYS !== undefined
      ? needed(['COUNTERSIGN_RECEIPT_ISSUER'], 'in production where COUNTERSIGN_RECEIPT_KEYS is set')
      : []),
    ...(env.COUNTERSIGN_PUSH === 'webhook'
      ? needed(['COUNTERSIGN_PUSH_WEBHOOK_URL', 'COUNTERSIGN_PUSH_WEBHOOK_SECRET'], 'where COUNTERSIGN_PUSH is webhook')
      : []),
  ]
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

/** Returns a line where the service and its metrics would listen in one place. */
const sharedPort = (given: Variables): readonly string[] => {
  const { COUNTERSIGN_PORT: port, COUNTERSIGN_HOST: host, COUNTERSIGN_METRICS_HOST: metricsHost } = given
  const isShared = host === metricsHost || [host, metricsHost].some((one) => EVERY_ADDRESS.includes(one))
  return given.COUNTERSIGN_METRICS_PORT === port && port !== 0 && isShared
    ? ['COUNTERSIGN_METRICS_PORT: must be another port than COUNTERSIGN_PORT']
    : []
}

/**
 * Returns the configured origins, or those of the default. Outside production the default follows the port of the server. In
 * production the port is often not the public one, so the default is fixed.
 */
const originsOf = (env: Environment, { COUNTERSIGN_ORIGINS: origins }: Variables): readonly string[] | undefined =>
  origins ?? (env.NODE_ENV === 'production' ? ['http://localhost:4000'] : undefined)

const pushOf = (given: Variables): PushConfig => {
  const { COUNTERSIGN_PUSH: provider, COUNTERSIGN_PUSH_WEBHOOK_URL: url, COUNTERSIGN_PUSH_WEBHOOK_SECRET: secret } = given
  if (provider !== 'webhook') return Object.freeze({ provider })
  if (url === undefined || secret === undefined)
    throw new TypeError('unreachable: a webhook without URL or secret is refused earlier')
  return Object.freeze({ provider, url, secret })
}

/** A server in production drains by default, because a load balancer may be in front of the server. */
const drainTimeOf = (env: Environment, { COUNTERSIGN_DRAIN_SECONDS: seconds }: Variables): number =>
  (seconds ?? (env.NODE_ENV === 'production' ? PRODUCTION_DRAIN_SECONDS : 0)) * 1000

const rateLimitsOf = (given: Variables): Config['rateLimits'] =>
  given.COUNTERSIGN_RATE_LIMITS === 'off'
    ? 'off'
    : Object.freeze({
        authentication: given.COUNTERSIGN_RATE_LIMIT_AUTHENTICATION,
        beginning: given.COUNTERSIGN_RATE_LIMIT_BEGINNING,
        'device-registration': given.COUNTERSIGN_RATE_LIMIT_DEVICE_REGISTRATION,
        confirmation: given.COUNTERSIGN_RATE_LIMIT_CONFIRMATION,
        'device-management': given.COUNTERSIGN_RATE_LIMIT_DEVICE_MANAGEMENT,
      })

const metricsOf = ({ COUNTERSIGN_METRICS_PORT: port, COUNTERSIGN_METRICS_HOST: host }: Variables): Config['metrics'] =>
  port === undefined ? undefined : Object.freeze({ host, port })

/**
 * Reads and checks the environment. An empty variable counts as unset.
 *
 * @throws StartupError with a line for each problem. The line names the variable and its permitted values, and never a given
 * value, because some values are secret.
 */
export const readConfig = (env: Environment = process.env): Config => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = variables.safeParse(set)
  const refused = result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  const problems = [...refused, ...missing(set), ...(result.success ? sharedPort(result.data) : [])]
  if (!result.success || problems.length > 0) throw new StartupError(problems)

  const given = result.data
  return Object.freeze({
    ...readNodeEnv(set),
    databaseUrl: given.COUNTERSIGN_DATABASE_URL,
    databaseConnectionMaxAge: given.COUNTERSIGN_DATABASE_CONNECTION_MAX_AGE_SECONDS * 1000,
    redisUrl: given.COUNTERSIGN_REDIS_URL,
    host: given.COUNTERSIGN_HOST,
    port: given.COUNTERSIGN_PORT,
    ignoresPort: set.PORT !== undefined && set.COUNTERSIGN_PORT === undefined,
    parts: Object.freeze(given.COUNTERSIGN_PARTS),
    jwtKeys: given.COUNTERSIGN_JWT_KEYS,
    encryptionKeys: given.COUNTERSIGN_ENCRYPTION_KEYS,
    receipts: given.COUNTERSIGN_RECEIPTS,
    receiptKeys: given.COUNTERSIGN_RECEIPT_KEYS,
    receiptIssuer: given.COUNTERSIGN_RECEIPT_ISSUER,
    relyingParty: Object.freeze({
      id: given.COUNTERSIGN_RP_ID,
      name: given.COUNTERSIGN_RP_NAME,
      origins: Object.freeze(originsOf(set, given)),
    }),
    leastUserVerification: given.COUNTERSIGN_LEAST_USER_VERIFICATION,
    passkeyLists: given.COUNTERSIGN_PASSKEY_LISTS,
    rateLimits: rateLimitsOf(given),
    challengeLifetime: given.COUNTERSIGN_CHALLENGE_TTL_SECONDS * 1000,
    confirmationLifetime: given.COUNTERSIGN_CONFIRMATION_TTL_SECONDS * 1000,
    approvalMaxAge: given.COUNTERSIGN_APPROVAL_MAX_AGE_SECONDS * 1000,
    refreshLeeway: given.COUNTERSIGN_REFRESH_LEEWAY_SECONDS * 1000,
    renewalWindow: given.COUNTERSIGN_RENEWAL_WINDOW_SECONDS * 1000,
    sessionsPerUser: given.COUNTERSIGN_SESSIONS_PER_USER,
    enrolment: given.COUNTERSIGN_ENROLMENT,
    freshSessionAge: given.COUNTERSIGN_FRESH_SECONDS * 1000,
    coolingOff: given.COUNTERSIGN_COOLING_OFF_SECONDS * 1000,
    numberMatching: given.COUNTERSIGN_NUMBER_MATCHING,
    gates: Object.freeze(given.COUNTERSIGN_GATES ?? {}),
    approvalPolicies: Object.freeze(given.COUNTERSIGN_APPROVAL_POLICIES ?? {}),
    approvalRetention: given.COUNTERSIGN_RETENTION_APPROVALS_DAYS,
    refusalRetention: given.COUNTERSIGN_RETENTION_REFUSALS_DAYS,
    serviceTokenRetention: given.COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS,
    removedProjectRetention: given.COUNTERSIGN_RETENTION_REMOVED_PROJECTS_DAYS,
    trustProxy: given.COUNTERSIGN_TRUST_PROXY,
    corsOrigins: Object.freeze(given.COUNTERSIGN_CORS_ORIGINS ?? []),
    push: pushOf(given),
    playground: set.NODE_ENV !== 'production',
    reference: given.COUNTERSIGN_DOCS === undefined ? set.NODE_ENV !== 'production' : given.COUNTERSIGN_DOCS === 'on',
    logLevel: given.COUNTERSIGN_LOG_LEVEL,
    slowStatement: given.COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS,
    drainTime: drainTimeOf(set, given),
    metrics: metricsOf(given),
    logAddresses: given.COUNTERSIGN_LOG_ADDRESSES,
    unknownVariables: Object.freeze(unknownVariables(set)),
  })
}
