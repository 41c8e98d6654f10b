import type { RateLimitCategory } from '@countersign/contract'
import {
  type BoundedOption,
  defaultOptions,
  defaultRateLimits,
  type Milliseconds,
  type Option,
  declaredOptions as options,
  type Retention,
} from '@countersign/core'
import { logLevels } from '../logging/logger.ts'
import * as forms from './forms.ts'
import { apnsEnvironments, browserPushHosts } from './push-config.ts'
import { rateLimit } from './rate-limit.ts'

interface About {
  /** A remark of the document next to the default, or in place of a missing default. */
  readonly note?: string
  /** The row of doctor that reports a bad value; `configuration` by default. */
  readonly check?: string
  /** True if all servers of a database need the same value. */
  readonly shared?: true
  /** True if the value is a secret, or names a file with one. Such a setting belongs in no file that many people read. */
  readonly secret?: true
}

/** One setting: its variable, how its text is read, and its default. `docs/operations.md` says its meaning. */
export interface Setting<T> extends About {
  readonly variable: string
  readonly form: forms.Form<T & {}>
  readonly default: T
  /** The default with `NODE_ENV=production`, if that is another. */
  readonly inProduction?: T
}

const setting = <T>(
  variable: string,
  form: forms.Form<T & {}>,
  value: NoInfer<T>,
  about: About & { readonly inProduction?: NoInfer<T> } = {},
): Setting<T> => ({ variable, form, default: value, ...about })

const optional = <T extends {}>(variable: string, form: forms.Form<T>, about?: About & { readonly inProduction?: NoInfer<T> }) =>
  setting<T | undefined>(variable, form, undefined, about)

/** A setting with the default of an option of the core. */
const of = <T>(variable: string, form: forms.Form<T & {}>, option: Option<T>, about?: About) =>
  setting<T>(variable, form, option.default, about)

/** A setting with default and bounds of an option of the core. `least` and `most` are narrower bounds of the variable. */
const seconds = (
  variable: string,
  option: BoundedOption<Milliseconds>,
  { least = option.least, most = option.most, ...about }: About & { least?: number; most?: number } = {},
) => of<Milliseconds>(variable, forms.seconds({ least, most }), option, about)

/** The lifetime of tokens or sessions: a minute to the default, which is what the contract says. */
const tokenLifetime = (variable: string, option: BoundedOption<Milliseconds>) =>
  seconds(variable, option, { least: MINUTE, most: option.default, shared: true })

const onOff = (variable: string, option: Option<boolean>, about?: About) => of(variable, forms.onOff, option, about)

const oneOf = <T extends string>(variable: string, option: Option<T> & { readonly values: readonly T[] }, about?: About) =>
  of(variable, forms.oneOf(option.values), option, about)

const kept = (variable: string, option: BoundedOption<Retention>) =>
  of(variable, forms.retention(option), option, { check: 'retention', shared: true })

const rate = (variable: string, category: RateLimitCategory) =>
  setting(variable, rateLimit, defaultRateLimits[category], { check: 'rate limits' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const port = forms.wholeNumber({ least: 0, most: 65_535 })
const newKeys = { check: 'keys', note: 'made on the first run outside production', secret: true } as const
const { relyingParty } = defaultOptions

/**
 * Every setting, by the name of its value; a setting of the core has the name of the option. A name with a dot is a member of a
 * group. A provider of push messages needs every setting of its group that has no default.
 */
export const settings = {
  databaseUrl: setting('COUNTERSIGN_DATABASE_URL', forms.databaseUrl, 'sqlite:.countersign/countersign.db', {
    check: 'database',
    note: 'none in production',
    secret: true,
  }),
  databaseSchema: setting('COUNTERSIGN_DATABASE_SCHEMA', forms.schemaName, 'countersign', { check: 'database' }),
  host: setting('COUNTERSIGN_HOST', forms.host, '127.0.0.1'),
  port: setting('COUNTERSIGN_PORT', port, 4000),
  parts: optional('COUNTERSIGN_PARTS', forms.parts, {
    check: 'parts',
    note: 'the parts that the database has; all in an empty database',
  }),
  jwtKeys: optional('COUNTERSIGN_JWT_KEYS', forms.keyRing({ exactly: false }), newKeys),
  encryptionKeys: optional('COUNTERSIGN_ENCRYPTION_KEYS', forms.keyRing({ exactly: true }), newKeys),
  receiptKeys: optional('COUNTERSIGN_RECEIPT_KEYS', forms.receiptKeyRing, { ...newKeys, check: 'receipts' }),
  receipts: setting('COUNTERSIGN_RECEIPTS', forms.onOff, true, { check: 'receipts' }),
  receiptIssuer: optional('COUNTERSIGN_RECEIPT_ISSUER', forms.issuer, {
    check: 'receipts',
    note: '`http://localhost` with the port of the server',
  }),
  'relyingParty.id': setting('COUNTERSIGN_RP_ID', forms.domain, relyingParty.id, { shared: true }),
  'relyingParty.name': setting('COUNTERSIGN_RP_NAME', forms.label, relyingParty.name),
  'relyingParty.origins': optional('COUNTERSIGN_ORIGINS', forms.passkeyOrigins, {
    note: 'outside production with the port of the server',
    inProduction: relyingParty.origins,
  }),
  corsOrigins: setting('COUNTERSIGN_CORS_ORIGINS', forms.webOrigins, []),
  leastUserVerification: oneOf('COUNTERSIGN_LEAST_USER_VERIFICATION', options.leastUserVerification),
  passkeyLists: onOff('COUNTERSIGN_PASSKEY_LISTS', options.passkeyLists),
  passkeyApprovals: onOff('COUNTERSIGN_PASSKEY_APPROVALS', options.passkeyApprovals, { shared: true }),
  approverVerification: oneOf('COUNTERSIGN_APPROVER_VERIFICATION', options.approverVerification, { shared: true }),
  approverOrigins: of('COUNTERSIGN_APPROVER_ORIGINS', forms.passkeyOrigins, options.approverOrigins, {
    note: '`COUNTERSIGN_ORIGINS`',
  }),
  'rateLimits.on': setting('COUNTERSIGN_RATE_LIMITS', forms.onOff, true, { check: 'rate limits' }),
  'rateLimits.authentication': rate('COUNTERSIGN_RATE_LIMIT_AUTHENTICATION', 'authentication'),
  'rateLimits.beginning': rate('COUNTERSIGN_RATE_LIMIT_BEGINNING', 'beginning'),
  'rateLimits.device-registration': rate('COUNTERSIGN_RATE_LIMIT_DEVICE_REGISTRATION', 'device-registration'),
  'rateLimits.confirmation': rate('COUNTERSIGN_RATE_LIMIT_CONFIRMATION', 'confirmation'),
  'rateLimits.device-management': rate('COUNTERSIGN_RATE_LIMIT_DEVICE_MANAGEMENT', 'device-management'),
  'rateLimits.session-opening': rate('COUNTERSIGN_RATE_LIMIT_SESSION_OPENING', 'session-opening'),
  challengeLifetime: seconds('COUNTERSIGN_CHALLENGE_TTL_SECONDS', options.challengeLifetime, { most: HOUR }),
  confirmationLifetime: seconds('COUNTERSIGN_CONFIRMATION_TTL_SECONDS', options.confirmationLifetime, { most: DAY }),
  approvalMaxAge: seconds('COUNTERSIGN_APPROVAL_MAX_AGE_SECONDS', options.approvalMaxAge, { most: DAY }),
  enrolment: oneOf('COUNTERSIGN_ENROLMENT', options.enrolment, {
    check: 'enrolment',
    shared: true,
  }),
  freshSessionAge: seconds('COUNTERSIGN_FRESH_SECONDS', options.freshSessionAge, { most: DAY, check: 'enrolment', shared: true }),
  coolingOff: seconds('COUNTERSIGN_COOLING_OFF_SECONDS', options.coolingOff, {
    most: 365 * DAY,
    check: 'enrolment',
    shared: true,
  }),
  forgotEnrolment: oneOf('COUNTERSIGN_FORGOT_ENROLMENT', options.forgotEnrolment, { check: 'enrolment', shared: true }),
  numberMatching: onOff('COUNTERSIGN_NUMBER_MATCHING', options.numberMatching, { shared: true }),
  gates: of('COUNTERSIGN_GATES', forms.gates, options.gates, { check: 'gates', shared: true }),
  approvalPolicies: of('COUNTERSIGN_APPROVAL_POLICIES', forms.approvalPolicies, options.approvalPolicies, { shared: true }),
  approvalRetention: kept('COUNTERSIGN_RETENTION_APPROVALS_DAYS', options.approvalRetention),
  removedProjectRetention: kept('COUNTERSIGN_RETENTION_REMOVED_PROJECTS_DAYS', options.removedProjectRetention),
  refusalRetention: kept('COUNTERSIGN_RETENTION_REFUSALS_DAYS', options.refusalRetention),
  serviceTokenRetention: kept('COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS', options.serviceTokenRetention),
  databaseConnectionMaxAge: optional(
    'COUNTERSIGN_DATABASE_CONNECTION_MAX_AGE_SECONDS',
    forms.seconds({ least: 1000, most: DAY }),
    { note: '`1800`' },
  ),
  redisUrl: optional('COUNTERSIGN_REDIS_URL', forms.redisUrl, { check: 'cache', secret: true }),
  trustProxy: setting('COUNTERSIGN_TRUST_PROXY', forms.wholeNumber({ least: 0, most: 32 }), 0),
  accessTokenLifetime: tokenLifetime('COUNTERSIGN_ACCESS_TTL_SECONDS', options.accessTokenLifetime),
  refreshTokenLifetime: tokenLifetime('COUNTERSIGN_REFRESH_TTL_SECONDS', options.refreshTokenLifetime),
  sessionLifetime: tokenLifetime('COUNTERSIGN_SESSION_TTL_SECONDS', options.sessionLifetime),
  biometricRefreshTokenLifetime: tokenLifetime('COUNTERSIGN_DEVICE_SESSION_TTL_SECONDS', options.biometricRefreshTokenLifetime),
  refreshLeeway: seconds('COUNTERSIGN_REFRESH_LEEWAY_SECONDS', options.refreshLeeway),
  renewalWindow: seconds('COUNTERSIGN_RENEWAL_WINDOW_SECONDS', options.renewalWindow),
  sessionsPerUser: of(
    'COUNTERSIGN_SESSIONS_PER_USER',
    forms.wholeNumber({ least: options.sessionsPerUser.least, most: 10_000 }),
    options.sessionsPerUser,
  ),
  'push.providers': setting('COUNTERSIGN_PUSH', forms.pushProviders, [], {
    check: 'push',
    note: '`log` under `npm start`',
  }),
  'push.webhook.url': optional('COUNTERSIGN_PUSH_WEBHOOK_URL', forms.webhookUrl, { check: 'push' }),
  'push.webhook.secret': optional('COUNTERSIGN_PUSH_WEBHOOK_SECRET', forms.webhookSecret, { check: 'push', secret: true }),
  'push.fcm.credentialsFile': optional('COUNTERSIGN_FCM_CREDENTIALS_FILE', forms.filePath, { check: 'push', secret: true }),
  'push.apns.keyFile': optional('COUNTERSIGN_APNS_KEY_FILE', forms.filePath, { check: 'push', secret: true }),
  'push.apns.keyId': optional('COUNTERSIGN_APNS_KEY_ID', forms.appleId, { check: 'push' }),
  'push.apns.teamId': optional('COUNTERSIGN_APNS_TEAM_ID', forms.appleId, { check: 'push' }),
  'push.apns.topic': optional('COUNTERSIGN_APNS_TOPIC', forms.bundleId, { check: 'push' }),
  'push.apns.environment': setting('COUNTERSIGN_APNS_ENVIRONMENT', forms.oneOf(apnsEnvironments), 'production', {
    check: 'push',
  }),
  'push.webpush.publicKey': optional('COUNTERSIGN_VAPID_PUBLIC_KEY', forms.vapidPublicKey, { check: 'push' }),
  'push.webpush.privateKey': optional('COUNTERSIGN_VAPID_PRIVATE_KEY', forms.vapidPrivateKey, { check: 'push', secret: true }),
  'push.webpush.subject': optional('COUNTERSIGN_VAPID_SUBJECT', forms.vapidSubject, { check: 'push' }),
  'push.webpush.hosts': setting('COUNTERSIGN_WEBPUSH_HOSTS', forms.hosts, browserPushHosts, { check: 'push' }),
  'smtp.url': optional('COUNTERSIGN_SMTP_URL', forms.smtpUrl, { check: 'mail', secret: true }),
  'smtp.from': optional('COUNTERSIGN_SMTP_FROM', forms.sender, { check: 'mail' }),
  'smtp.codePage': optional('COUNTERSIGN_SMTP_CODE_PAGE', forms.codePage, {
    check: 'mail',
    note: 'the approver, if this server serves it',
  }),
  reference: setting('COUNTERSIGN_DOCS', forms.onOff, true, { inProduction: false }),
  'approver.on': setting('COUNTERSIGN_APPROVER', forms.onOff, true, { inProduction: false }),
  'approver.name': setting('COUNTERSIGN_APPROVER_NAME', forms.label, relyingParty.name),
  'approver.color': optional('COUNTERSIGN_APPROVER_COLOR', forms.color),
  'approver.logoUrl': optional('COUNTERSIGN_APPROVER_LOGO_URL', forms.logoUrl),
  'approver.logoDarkUrl': optional('COUNTERSIGN_APPROVER_LOGO_DARK_URL', forms.logoUrl),
  'approver.supportUrl': optional('COUNTERSIGN_APPROVER_SUPPORT_URL', forms.contactUrl),
  'approver.imprintUrl': optional('COUNTERSIGN_APPROVER_IMPRINT_URL', forms.linkUrl),
  'approver.privacyUrl': optional('COUNTERSIGN_APPROVER_PRIVACY_URL', forms.linkUrl),
  'approver.emptyInboxText': optional('COUNTERSIGN_APPROVER_EMPTY_INBOX_TEXT', forms.ownText),
  'approver.lockedText': optional('COUNTERSIGN_APPROVER_LOCKED_TEXT', forms.ownText),
  'approver.language': optional('COUNTERSIGN_APPROVER_LANGUAGE', forms.pageLanguage, {
    note: 'the language of the browser',
  }),
  logLevel: setting('COUNTERSIGN_LOG_LEVEL', forms.oneOf(logLevels), 'info'),
  slowStatement: setting<Milliseconds>(
    'COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS',
    forms.wholeNumber({ least: 0, most: 600_000 }),
    1000,
  ),
  drainTime: setting<Milliseconds>('COUNTERSIGN_DRAIN_SECONDS', forms.seconds({ least: 0, most: 300_000 }), 0, {
    inProduction: 5000,
  }),
  'metrics.port': optional('COUNTERSIGN_METRICS_PORT', port, { check: 'metrics' }),
  'metrics.host': setting('COUNTERSIGN_METRICS_HOST', forms.host, '127.0.0.1', { check: 'metrics' }),
  logFile: optional('COUNTERSIGN_LOG_FILE', forms.filePath),
  logAddresses: setting('COUNTERSIGN_LOG_ADDRESSES', forms.onOff, false),
}

export const namedSettings = Object.entries<Setting<unknown>>(settings)

export type SettingValues = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]['default'] }

/** Returns the doctor row that reports on a variable. */
export const checkOf = (variable: string): string =>
  variable === 'NODE_ENV'
    ? 'environment'
    : (namedSettings.find(([, one]) => one.variable === variable)?.[1].check ?? 'configuration')
