import { defaultRateLimits, generateKeyRing, generateReceiptKeyRing, perMinute, systemRandom } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../testing/lines-of.ts'
import { readConfig } from './read-config.ts'
import { namedSettings } from './settings.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const jwtKeys = generateKeyRing(systemRandom)
const encryptionKeys = generateKeyRing(systemRandom)
const keys = { COUNTERSIGN_JWT_KEYS: jwtKeys, COUNTERSIGN_ENCRYPTION_KEYS: encryptionKeys }
const production = { ...keys, NODE_ENV: 'production', COUNTERSIGN_DATABASE_URL: 'postgres://db.example.test/countersign' }
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const webhook = {
  COUNTERSIGN_PUSH: 'webhook',
  COUNTERSIGN_PUSH_WEBHOOK_URL: 'https://push.example.test/hook',
  COUNTERSIGN_PUSH_WEBHOOK_SECRET: secret,
}
const vapid = {
  COUNTERSIGN_PUSH: 'webpush',
  COUNTERSIGN_VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  COUNTERSIGN_VAPID_PRIVATE_KEY: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
}

describe('the environment', () => {
  it('can be empty, because every variable has a default', () => {
    expect(readConfig({})).toEqual({
      production: false,
      nodeEnv: 'unset',
      databaseUrl: 'sqlite:.countersign/countersign.db',
      databaseSchema: 'countersign',
      redisUrl: undefined,
      host: '127.0.0.1',
      port: 4000,
      ignoresPort: false,
      parts: undefined,
      jwtKeys: undefined,
      encryptionKeys: undefined,
      receipts: true,
      receiptKeys: undefined,
      receiptIssuer: undefined,
      relyingParty: { id: 'localhost', name: 'Countersign', origins: undefined },
      leastUserVerification: 'discouraged',
      passkeyLists: true,
      passkeyApprovals: false,
      approverVerification: 'never',
      approverOrigins: [],
      rateLimits: defaultRateLimits,
      challengeLifetime: 120_000,
      confirmationLifetime: 300_000,
      approvalMaxAge: 600_000,
      sessionsPerUser: 200,
      accessTokenLifetime: 28_800_000,
      refreshTokenLifetime: 3 * DAY,
      sessionLifetime: 30 * DAY,
      biometricRefreshTokenLifetime: 30 * DAY,
      refreshLeeway: 0,
      renewalWindow: 60_000,
      enrolment: 'fresh',
      freshSessionAge: 600_000,
      coolingOff: 43_200_000,
      forgotEnrolment: 'cooling-off',
      numberMatching: false,
      gates: {},
      approvalPolicies: {},
      approvalRetention: 3650 * DAY,
      refusalRetention: 365 * DAY,
      serviceTokenRetention: 365 * DAY,
      removedProjectRetention: 3650 * DAY,
      trustProxy: 0,
      corsOrigins: [],
      push: [],
      approver: {
        on: true,
        name: 'Countersign',
        color: undefined,
        logoUrl: undefined,
        logoDarkUrl: undefined,
        supportUrl: undefined,
        imprintUrl: undefined,
        privacyUrl: undefined,
        emptyInboxText: undefined,
        lockedText: undefined,
        language: undefined,
      },
      smtp: undefined,
      playground: true,
      reference: true,
      logLevel: 'info',
      slowStatement: 1000,
      drainTime: 0,
      metrics: undefined,
      logAddresses: false,
      unknownVariables: [],
    })
  })

  it('has a fixed default origin in production; elsewhere the origin follows the port', () => {
    expect(readConfig({ ...production, COUNTERSIGN_PORT: '8080' }).relyingParty.origins).toEqual(['http://localhost:4000'])
    expect(readConfig({ COUNTERSIGN_PORT: '8080' }).relyingParty.origins).toBeUndefined()
  })

  it.each([
    ['production', 'production'],
    ['development', 'development'],
    ['production\r', 'unknown'],
    ['prod', 'unknown'],
    ['', 'unset'],
  ])('NODE_ENV %j counts as %s', (given, nodeEnv) => {
    expect(readConfig({ ...production, NODE_ENV: given })).toMatchObject({ nodeEnv, production: nodeEnv === 'production' })
  })

  it('reports that PORT is ignored, unless COUNTERSIGN_PORT is set', () => {
    expect(readConfig({ PORT: '8080' })).toMatchObject({ port: 4000, ignoresPort: true })
    expect(readConfig({ PORT: '8080', COUNTERSIGN_PORT: '8080' })).toMatchObject({ port: 8080, ignoresPort: false })
  })

  it('has the page at /approve/ off in production, and on elsewhere', () => {
    expect([readConfig(production).approver.on, readConfig({}).approver.on]).toEqual([false, true])
  })

  it('drains for five seconds in production, and not elsewhere', () => {
    expect(readConfig(production).drainTime).toBe(5000)
    expect(readConfig({ ...production, COUNTERSIGN_DRAIN_SECONDS: '0' }).drainTime).toBe(0)
    expect(readConfig({}).drainTime).toBe(0)
  })

  it('serves no metrics without a port, and on the loopback address with one', () => {
    expect(readConfig({ COUNTERSIGN_METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
    expect(readConfig({ COUNTERSIGN_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    const onePort = { COUNTERSIGN_PORT: '4000', COUNTERSIGN_METRICS_PORT: '4000' }
    const refusal = 'COUNTERSIGN_METRICS_PORT: must be another port than COUNTERSIGN_PORT'
    for (const host of ['127.0.0.1', '0.0.0.0', '::'])
      expect(() => readConfig({ ...onePort, COUNTERSIGN_HOST: host })).toThrow(refusal)
    expect(readConfig({ ...onePort, COUNTERSIGN_HOST: '192.0.2.1' }).metrics).toEqual({ host: '127.0.0.1', port: 4000 })
    expect(readConfig({ COUNTERSIGN_PORT: '0', COUNTERSIGN_METRICS_PORT: '0' }).metrics).toEqual({ host: '127.0.0.1', port: 0 })
  })

  const androidApp = 'android:apk-key-hash:abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE'
  const databaseUrl = 'postgres://user:password@db.example.test:5433/countersign?sslmode=require'
  const members: readonly (readonly [variable: string, text: string, member: string, value: unknown])[] = [
    ['NODE_ENV', 'production', 'production', true],
    ['COUNTERSIGN_DATABASE_URL', databaseUrl, 'databaseUrl', databaseUrl],
    ['COUNTERSIGN_HOST', '::', 'host', '::'],
    ['COUNTERSIGN_PORT', '0', 'port', 0],
    ['COUNTERSIGN_PARTS', 'identity, projects', 'parts', ['identity', 'projects']],
    ['COUNTERSIGN_RP_ID', 'example.test', 'relyingParty.id', 'example.test'],
    ['COUNTERSIGN_RP_NAME', 'Müller & Söhne', 'relyingParty.name', 'Müller & Söhne'],
    [
      'COUNTERSIGN_ORIGINS',
      `https://a.test, https://b.test:8443,${androidApp}`,
      'relyingParty.origins',
      ['https://a.test', 'https://b.test:8443', androidApp],
    ],
    ['COUNTERSIGN_LEAST_USER_VERIFICATION', 'required', 'leastUserVerification', 'required'],
    ['COUNTERSIGN_PASSKEY_LISTS', 'off', 'passkeyLists', false],
    ['COUNTERSIGN_RATE_LIMITS', 'off', 'rateLimits', 'off'],
    ['COUNTERSIGN_CHALLENGE_TTL_SECONDS', '60', 'challengeLifetime', 60_000],
    ['COUNTERSIGN_ACCESS_TTL_SECONDS', '60', 'accessTokenLifetime', 60_000],
    ['COUNTERSIGN_REFRESH_TTL_SECONDS', '60', 'refreshTokenLifetime', 60_000],
    ['COUNTERSIGN_SESSION_TTL_SECONDS', '43200', 'sessionLifetime', DAY / 2],
    ['COUNTERSIGN_DEVICE_SESSION_TTL_SECONDS', '86400', 'biometricRefreshTokenLifetime', DAY],
    ['COUNTERSIGN_CONFIRMATION_TTL_SECONDS', '600', 'confirmationLifetime', 600_000],
    ['COUNTERSIGN_TRUST_PROXY', '2', 'trustProxy', 2],
    [
      'COUNTERSIGN_CORS_ORIGINS',
      'https://shop.test, http://localhost:5173',
      'corsOrigins',
      ['https://shop.test', 'http://localhost:5173'],
    ],
    ['COUNTERSIGN_REFRESH_LEEWAY_SECONDS', '30', 'refreshLeeway', 30_000],
    ['COUNTERSIGN_RENEWAL_WINDOW_SECONDS', '0', 'renewalWindow', 0],
    ['COUNTERSIGN_SESSIONS_PER_USER', '5', 'sessionsPerUser', 5],
    ['COUNTERSIGN_LOG_LEVEL', 'trace', 'logLevel', 'trace'],
    ['COUNTERSIGN_LOG_ADDRESSES', 'on', 'logAddresses', true],
    ['COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS', '0', 'slowStatement', 0],
    ['COUNTERSIGN_METRICS_PORT', '9464', 'metrics.port', 9464],
    ['COUNTERSIGN_METRICS_HOST', '::1', 'metrics.host', '::1'],
    ['COUNTERSIGN_DATABASE_CONNECTION_MAX_AGE_SECONDS', '60', 'databaseConnectionMaxAge', 60_000],
    ['COUNTERSIGN_DRAIN_SECONDS', '30', 'drainTime', 30_000],
    ['COUNTERSIGN_RETENTION_APPROVALS_DAYS', 'forever', 'approvalRetention', 'forever'],
    ['COUNTERSIGN_RETENTION_REFUSALS_DAYS', '1', 'refusalRetention', DAY],
    ['COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS', '2', 'serviceTokenRetention', 2 * DAY],
    ['COUNTERSIGN_RETENTION_REMOVED_PROJECTS_DAYS', '36525', 'removedProjectRetention', 36_525 * DAY],
    ['COUNTERSIGN_APPROVER', 'on', 'approver.on', true],
    ['COUNTERSIGN_APPROVER_NAME', 'Müller approves', 'approver.name', 'Müller approves'],
    ['COUNTERSIGN_APPROVER_COLOR', '#2748C7', 'approver.color', '#2748C7'],
    ['COUNTERSIGN_APPROVER_LOGO_URL', 'https://a.test/logo.svg?v=1', 'approver.logoUrl', 'https://a.test/logo.svg?v=1'],
    ['COUNTERSIGN_APPROVER_LOGO_DARK_URL', 'https://a.test/dark.svg', 'approver.logoDarkUrl', 'https://a.test/dark.svg'],
    ['COUNTERSIGN_APPROVER_SUPPORT_URL', 'mailto:help@a.test', 'approver.supportUrl', 'mailto:help@a.test'],
    ['COUNTERSIGN_APPROVER_IMPRINT_URL', 'https://a.test/imprint', 'approver.imprintUrl', 'https://a.test/imprint'],
    ['COUNTERSIGN_APPROVER_PRIVACY_URL', 'https://a.test/privacy', 'approver.privacyUrl', 'https://a.test/privacy'],
    ['COUNTERSIGN_APPROVER_EMPTY_INBOX_TEXT', 'All done.', 'approver.emptyInboxText', 'All done.'],
    ['COUNTERSIGN_APPROVER_LOCKED_TEXT', '{"de":"Gesperrt"}', 'approver.lockedText', { de: 'Gesperrt' }],
    ['COUNTERSIGN_APPROVER_LANGUAGE', 'ar', 'approver.language', 'ar'],
    ['UNRELATED', 'ignored', 'playground', false],
    ['UNRELATED', 'ignored', 'reference', false],
  ]

  it('sets every member of the configuration', () => {
    const given = Object.fromEntries(members.map(([variable, text]) => [variable, text]))
    const config = readConfig({ ...keys, ...webhook, ...given })
    for (const [, , member, value] of members) expect(config, member).toHaveProperty(member, value)
    expect(config.push).toEqual([{ provider: 'webhook', url: 'https://push.example.test/hook', secret }])
    expect(config.jwtKeys?.current.kid).toBe(jwtKeys.split(':')[0])
    expect(config.encryptionKeys?.secrets.size).toBe(1)
  })

  it.each(['redis://localhost', 'redis://:password@cache.example.test:6380/3', 'rediss://user:p%40ss@[::1]:6379/'])(
    'may name %s as the Redis server',
    (url) => {
      expect(readConfig({ COUNTERSIGN_REDIS_URL: url }).redisUrl).toBe(url)
    },
  )

  it('can demand passkeys of people of the approver only where passkeys approve', () => {
    const always = { COUNTERSIGN_APPROVER_VERIFICATION: 'always' }
    expect(() => readConfig(always)).toThrow('COUNTERSIGN_APPROVER_VERIFICATION: always needs COUNTERSIGN_PASSKEY_APPROVALS=on')
    expect(readConfig({ ...always, COUNTERSIGN_PASSKEY_APPROVALS: 'on' }).approverVerification).toBe('always')
  })

  it('can name several push providers', () => {
    expect(readConfig({ ...webhook, COUNTERSIGN_PUSH: 'log, webhook' }).push).toEqual([
      { provider: 'log' },
      { provider: 'webhook', url: webhook.COUNTERSIGN_PUSH_WEBHOOK_URL, secret },
    ])
    expect(readConfig({ COUNTERSIGN_PUSH: 'none' }).push).toEqual([])
  })

  it('can switch on Web Push, whose endpoints can be on this machine outside production', () => {
    const keys = { publicKey: vapid.COUNTERSIGN_VAPID_PUBLIC_KEY, privateKey: vapid.COUNTERSIGN_VAPID_PRIVATE_KEY }
    const [push] = readConfig(vapid).push
    expect(push).toEqual({
      provider: 'webpush',
      ...keys,
      subject: 'mailto:security@example.com',
      hosts: expect.arrayContaining(['fcm.googleapis.com', 'push.apple.com']),
      loopback: true,
    })
    const { push: inProduction } = readConfig({ ...production, ...vapid, COUNTERSIGN_WEBPUSH_HOSTS: 'push.example.com, *' })
    expect(inProduction).toMatchObject([{ hosts: ['push.example.com', '*'], loopback: false }])
  })

  it('can switch on FCM and APNs, with the production service of Apple by default', () => {
    const env = {
      COUNTERSIGN_PUSH: 'fcm,apns',
      COUNTERSIGN_FCM_CREDENTIALS_FILE: '/run/secrets/fcm.json',
      COUNTERSIGN_APNS_KEY_FILE: '/run/secrets/apns.p8',
      COUNTERSIGN_APNS_KEY_ID: 'ABC123DEFG',
      COUNTERSIGN_APNS_TEAM_ID: 'DEF123GHIJ',
      COUNTERSIGN_APNS_TOPIC: 'com.example.app',
    }
    const ids = { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.app' }
    expect(readConfig(env).push).toEqual([
      { provider: 'fcm', credentialsFile: '/run/secrets/fcm.json' },
      { provider: 'apns', keyFile: '/run/secrets/apns.p8', ...ids, environment: 'production' },
    ])
    expect(readConfig({ ...env, COUNTERSIGN_APNS_ENVIRONMENT: 'sandbox' }).push[1]).toMatchObject({ environment: 'sandbox' })
    expect(linesOf({ COUNTERSIGN_PUSH: 'fcm,apns' })).toEqual(
      Object.keys(env)
        .slice(1)
        .map((name) => `${name}: must be set where COUNTERSIGN_PUSH has ${name.includes('FCM') ? 'fcm' : 'apns'}`),
    )
  })

  it('has a variable for the limit of each category', () => {
    const { rateLimits } = readConfig({
      COUNTERSIGN_RATE_LIMIT_AUTHENTICATION: '200/100/60',
      COUNTERSIGN_RATE_LIMIT_BEGINNING: '100000/1/1440',
      COUNTERSIGN_RATE_LIMIT_DEVICE_REGISTRATION: '1/60000/1',
      COUNTERSIGN_RATE_LIMIT_CONFIRMATION: '3/7/5',
      COUNTERSIGN_RATE_LIMIT_DEVICE_MANAGEMENT: '1/100/1000',
      COUNTERSIGN_RATE_LIMIT_SESSION_OPENING: '5/10/15',
    })
    expect(rateLimits).toEqual({
      authentication: perMinute(100, 60 * MINUTE, 200),
      beginning: perMinute(1, 1440 * MINUTE, 100_000),
      'device-registration': perMinute(60_000, MINUTE, 1),
      confirmation: perMinute(7, 5 * MINUTE, 3),
      'device-management': perMinute(100, 1000 * MINUTE, 1),
      'session-opening': perMinute(10, 15 * MINUTE, 5),
    })
    const some = readConfig({ COUNTERSIGN_RATE_LIMIT_CONFIRMATION: '3/7/5' })
    expect(some.rateLimits).toEqual({ ...defaultRateLimits, confirmation: perMinute(7, 5 * MINUTE, 3) })
  })

  it('becomes a frozen configuration', () => {
    const config = readConfig({})
    expect([config, config.push, config.relyingParty, config.relyingParty.origins].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('treats an empty variable as unset', () => {
    expect(readConfig({ COUNTERSIGN_PORT: '', COUNTERSIGN_REDIS_URL: '', COUNTERSIGN_JWT_KEYS: '' })).toEqual(readConfig({}))
  })
})

describe('a bad variable gives one line with its name and its permitted values', () => {
  const wholeNumber = (least: number, most: number) => `must be a whole number from ${least} to ${most}`
  const keyRing = /^COUNTERSIGN_\w+_KEYS: must be kid:base64url\[,kid:base64url…\] \(.+\)$/
  it.each([
    ['COUNTERSIGN_DATABASE_URL', ['mysql://x', 'postgres://', 'postgres://[', 'file.db'], /must be sqlite:<path> or postgres:/],
    ['COUNTERSIGN_HOST', ['a b', 'http://x', '127.0.0.1/8'], 'must be an address or a host name'],
    ['COUNTERSIGN_PORT', ['x', '-1', '65536', '4000.5', ' 4000', '0x10', '1e3'], wholeNumber(0, 65_535)],
    [
      'COUNTERSIGN_PARTS',
      ['x', 'Identity', 'identity,', 'identity;projects', ','],
      'must be some of identity, approvals, projects, separated by commas',
    ],
    ['COUNTERSIGN_JWT_KEYS', ['x', 'k1:short', `${jwtKeys},${jwtKeys}`, '-----BEGIN KEY-----'], keyRing],
    ['COUNTERSIGN_ENCRYPTION_KEYS', [`k1:${Buffer.alloc(33, 'abcdefghijk').toString('base64url')}`], keyRing],
    ['COUNTERSIGN_RP_ID', ['https://x', 'Example.test', 'x:80', '.x'], 'must be a domain in lower case, without scheme and port'],
    ['COUNTERSIGN_RP_NAME', ['x'.repeat(65), 'a\nb'], 'must be 1 to 64 characters'],
    [
      'COUNTERSIGN_ORIGINS',
      [
        ...['x', 'https://x/', 'https://x,', 'ftp://x', 'https://X.test'],
        // An Android hash in hexadecimal, as `keytool` prints it, in base64 with padding, or under another name.
        `android:apk-key-hash:${Array(32).fill('AB').join(':')}`,
        `android:apk-key-hash:${'a'.repeat(43)}=`,
        `android:apk-key-hash-sha256:${'a'.repeat(43)}`,
      ],
      'must be origins such as https://app.example.com or, for an Android app, android:apk-key-hash: and the SHA-256 of the certificate that signs the app, in base64url (43 characters), separated by commas',
    ],
    [
      'COUNTERSIGN_CORS_ORIGINS',
      [
        '*',
        'null',
        'https://x/',
        'https://x,',
        'https://X.test',
        'https://x:443',
        'https://*.x',
        `android:apk-key-hash:${'a'.repeat(43)}`,
      ],
      'must be web origins such as https://app.example.com, separated by commas',
    ],
    ['COUNTERSIGN_LEAST_USER_VERIFICATION', ['always', 'Required'], 'must be one of required, preferred, discouraged'],
    ['COUNTERSIGN_PASSKEY_LISTS', ['no', 'OFF'], 'must be one of on, off'],
    ['COUNTERSIGN_RATE_LIMITS', ['yes', 'ON'], 'must be one of on, off'],
    [
      'COUNTERSIGN_RATE_LIMIT_AUTHENTICATION',
      ['20', '20/10', '0/10/60', '20/10/60/1', '20/1.5/60', '100001/1/1', '1/60001/1', '1/1/1441', '1/101/1000', ' 20/10/60'],
      /: must be burst\/perMinute\/windowMinutes such as 20\/10\/60, /,
    ],
    ['COUNTERSIGN_CHALLENGE_TTL_SECONDS', ['0', '3601'], wholeNumber(1, 3600)],
    ['COUNTERSIGN_ACCESS_TTL_SECONDS', ['0', '59', '28801'], wholeNumber(60, 28_800)],
    ['COUNTERSIGN_REFRESH_TTL_SECONDS', ['59', '259201'], wholeNumber(60, 259_200)],
    ['COUNTERSIGN_SESSION_TTL_SECONDS', ['59', '2592001'], wholeNumber(60, 2_592_000)],
    ['COUNTERSIGN_DEVICE_SESSION_TTL_SECONDS', ['59', '2592001'], wholeNumber(60, 2_592_000)],
    ['COUNTERSIGN_CONFIRMATION_TTL_SECONDS', ['0', '86401'], wholeNumber(1, 86_400)],
    [
      'COUNTERSIGN_APPROVAL_POLICIES',
      [
        'payment_approval',
        'payment_approval:payment.approve',
        'payment_approval:payment.approve:0',
        'payment_approval:payment.approve:21',
        'payment_approval:payment.approve:2.0',
        'payment_approval:payment.approve:2:3',
        'payment_approval:payment.*:2',
        'Payment:payment.approve:2',
        '__proto__:payment.approve:2',
        'payment_approval:payment.approve:2,',
        'payment_approval:payment.approve:2,payment_approval:payment.approve:1',
      ],
      'must be TYPE:PERMISSION:COUNT, each type once, with a count from 1 to 20, separated by commas',
    ],
    [
      'COUNTERSIGN_REDIS_URL',
      [
        'localhost:6379',
        'http://localhost',
        'redis://',
        'redis://:password@',
        'redis://localhost/a',
        'redis://localhost/0/1',
        'redis://localhost?db=1',
        'redis://:%zz@localhost',
        'unix:///run/redis.sock',
      ],
      /must be redis:.*, or rediss:/,
    ],
    ['COUNTERSIGN_REDIS_URL', ['redis://app:/s3cret@cache', 'redis://app:1/2@cache'], /percent-encode the password/],
    ['COUNTERSIGN_DATABASE_URL', ['postgres://app:/s3cret@db/x', 'postgres://app:1/2@db/x'], /percent-encode the password/],
    ['COUNTERSIGN_DATABASE_URL', ['sqlite:', 'sqlite:x.db ', 'sqlite:x\r.db', 'sqlite://x.db'], /the path after sqlite: must /],
    ['COUNTERSIGN_TRUST_PROXY', ['true', '33'], wholeNumber(0, 32)],
    ['COUNTERSIGN_REFRESH_LEEWAY_SECONDS', ['31'], wholeNumber(0, 30)],
    ['COUNTERSIGN_RENEWAL_WINDOW_SECONDS', ['301'], wholeNumber(0, 300)],
    ['COUNTERSIGN_SESSIONS_PER_USER', ['1', '10001', 'all'], wholeNumber(2, 10_000)],
    [
      'COUNTERSIGN_PUSH',
      ['pigeon', 'none,log', 'log,log', 'log,'],
      /must be none, or some of webpush, apns, fcm, webhook, log, each once/,
    ],
    ['COUNTERSIGN_APNS_KEY_ID', ['abc123defg', 'ABC'], 'must be the 10 characters that Apple shows'],
    ['COUNTERSIGN_APNS_TEAM_ID', ['DEF123GHIJK'], 'must be the 10 characters that Apple shows'],
    ['COUNTERSIGN_APNS_TOPIC', ['com example'], /must be the id of the app's bundle/],
    ['COUNTERSIGN_APNS_ENVIRONMENT', ['development'], 'must be one of production, sandbox'],
    ['COUNTERSIGN_VAPID_PUBLIC_KEY', ['x', `${vapid.COUNTERSIGN_VAPID_PUBLIC_KEY}=`], /must be the 87 characters/],
    ['COUNTERSIGN_VAPID_PRIVATE_KEY', ['x', '-----BEGIN'], /must be the 43 characters/],
    [
      'COUNTERSIGN_VAPID_SUBJECT',
      [
        'ada@example.com',
        'mailto:ada',
        'mailto:ada@localhost',
        'https://push.invalid/',
        'http://example.com',
        'https://localhost',
      ],
      /must be mailto: and an address, or an https URL, of a host on the internet/,
    ],
    [
      'COUNTERSIGN_WEBPUSH_HOSTS',
      ['https://push.example.com', '*.example.com', 'com', 'a.example,'],
      /must be hosts in lower case/,
    ],
    ['COUNTERSIGN_APPROVER', ['yes', 'ON'], 'must be one of on, off'],
    ['COUNTERSIGN_APPROVER_NAME', ['x'.repeat(65), 'a\nb'], 'must be 1 to 64 characters'],
    ['COUNTERSIGN_APPROVER_COLOR', ['2748c7', '#27c', '#2748c7ff', 'blue', '#2748cg'], 'must be a colour such as #2748c7'],
    [
      'COUNTERSIGN_APPROVER_LOGO_URL',
      [
        'logo.svg',
        'http://x/logo.svg',
        'https://',
        'https://a:b@x/',
        "https://x/;script-src 'self'",
        'https://x/,',
        'data:,x',
        'https://*.x/',
        'https://%2A/',
      ],
      'must be an https URL without user, password, semicolon, comma and blank, and no asterisk in its host',
    ],
    ['COUNTERSIGN_APPROVER_LOGO_DARK_URL', ['dark.svg', 'data:,x'], /must be an https URL without user/],
    [
      'COUNTERSIGN_APPROVER_SUPPORT_URL',
      ['help@a.test', 'mailto:', 'javascript:alert(1)', 'tel:call me', 'http://a.test', 'https://a@b/'],
      'must be mailto: and an address, tel: and a number, or an https URL',
    ],
    ['COUNTERSIGN_APPROVER_IMPRINT_URL', ['/imprint', 'http://a.test'], 'must be an https URL without user and password'],
    ['COUNTERSIGN_APPROVER_PRIVACY_URL', ['privacy', 'https://a:b@x/'], 'must be an https URL without user and password'],
    [
      'COUNTERSIGN_APPROVER_EMPTY_INBOX_TEXT',
      ['x'.repeat(301), 'a\nb', '{"it":"Niente"}', '{"en":1}', '{}', '{en}'],
      /must be 1 to 300 characters, or a JSON object/,
    ],
    ['COUNTERSIGN_APPROVER_LOCKED_TEXT', ['\u0007', '{"en":""}'], /must be 1 to 300 characters, or a JSON object/],
    ['COUNTERSIGN_APPROVER_LANGUAGE', ['it', 'EN', 'de-CH', 'en,de'], 'must be one of en, de, fr, es, ar'],
    ['COUNTERSIGN_LOG_LEVEL', ['verbose'], 'must be one of trace, debug, info, warn, error, fatal, silent'],
    ['COUNTERSIGN_LOG_ADDRESSES', ['yes'], 'must be one of on, off'],
    ['COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS', ['-1', '600001', '1s'], wholeNumber(0, 600_000)],
    ['COUNTERSIGN_DATABASE_CONNECTION_MAX_AGE_SECONDS', ['0', '86401'], wholeNumber(1, 86_400)],
    ['COUNTERSIGN_DRAIN_SECONDS', ['-1', '301', '5s'], wholeNumber(0, 300)],
    [
      'COUNTERSIGN_RETENTION_APPROVALS_DAYS',
      ['0', '36526', '1.5', 'never', '-1', 'Forever'],
      'must be forever, or a whole number of days from 1 to 36525',
    ],
    ['COUNTERSIGN_METRICS_PORT', ['x', '65536'], wholeNumber(0, 65_535)],
    ['COUNTERSIGN_METRICS_HOST', ['a b', 'a/b'], 'must be an address or a host name'],
  ] as const)('%s', (name, values, takes) => {
    for (const value of values) {
      const lines = linesOf({ [name]: value })
      expect(lines).toHaveLength(1)
      if (takes instanceof RegExp) expect(lines[0]).toMatch(takes)
      else expect(lines[0]).toBe(`${name}: ${takes}`)
      expect(lines[0]).toMatch(new RegExp(`^${name}: `))
      expect(lines[0]).not.toContain('\n')
    }
  })

  it('COUNTERSIGN_PUSH_WEBHOOK_URL', () => {
    for (const url of ['x', 'ftp://x', 'https://user:password@push.example.test/', 'https://user:1/s3cret@push.example.test/']) {
      expect(linesOf({ ...webhook, COUNTERSIGN_PUSH_WEBHOOK_URL: url })).toEqual([
        'COUNTERSIGN_PUSH_WEBHOOK_URL: must be an http or https URL without user and password; an @ in its path is written %40',
      ])
    }
  })

  it('COUNTERSIGN_APPROVAL_POLICIES, as policies by type', () => {
    const given = 'payment_approval:payment.approve:2, wire_transfer:wire.release:20'
    expect(readConfig({ COUNTERSIGN_APPROVAL_POLICIES: given }).approvalPolicies).toStrictEqual({
      payment_approval: { permission: 'payment.approve', count: 2 },
      wire_transfer: { permission: 'wire.release', count: 20 },
    })
  })

  it('COUNTERSIGN_RECEIPT_KEYS', () => {
    const ring = generateReceiptKeyRing('ES256')
    expect(readConfig({ COUNTERSIGN_RECEIPT_KEYS: ring }).receiptKeys?.keys).toMatchObject([{ alg: 'ES256' }])
    for (const given of [jwtKeys, ring.slice(0, -1), `${ring},${ring}`, 'Ed25519:', ring.toLowerCase(), `${ring},`]) {
      const [line, ...more] = linesOf({ COUNTERSIGN_RECEIPT_KEYS: given })
      expect(line).toMatch(/^COUNTERSIGN_RECEIPT_KEYS: must be ALG:base64url\[,ALG:base64url…\] \(.+\)$/)
      expect(line).not.toContain(ring.slice('ES256:'.length, -1))
      expect(more).toEqual([])
    }
  })

  it('COUNTERSIGN_RECEIPT_ISSUER', () => {
    for (const given of ['https://auth.example.com', 'https://auth.example.com/', 'http://localhost:4000/auth']) {
      expect(readConfig({ COUNTERSIGN_RECEIPT_ISSUER: given }).receiptIssuer).toBe(given)
    }
    const wrong = ['auth.example.com', 'ftp://a.example', 'https://a:b@c.example', 'https://a.example/?b', 'https://a.example/#b']
    for (const given of [
      ...wrong,
      'HTTPS://A.example',
      'https://a.example:443',
      'https://a.example/b/../c',
      'https://a.example/ ',
    ]) {
      expect(linesOf({ COUNTERSIGN_RECEIPT_ISSUER: given })).toEqual([
        'COUNTERSIGN_RECEIPT_ISSUER: must be an http or https URL in its normal form, without user, password, query and fragment',
      ])
    }
  })

  it('COUNTERSIGN_PUSH_WEBHOOK_SECRET', () => {
    const short = `whsec_${Buffer.alloc(23).toString('base64')}`
    const long = `whsec_${Buffer.alloc(65).toString('base64')}`
    for (const given of [secret.slice(6), short, long, `${secret}!`, 'whsec_']) {
      expect(linesOf({ ...webhook, COUNTERSIGN_PUSH_WEBHOOK_SECRET: given })).toEqual([
        'COUNTERSIGN_PUSH_WEBHOOK_SECRET: must be whsec_ and 24 to 64 bytes in base64',
      ])
    }
  })
})

describe('a missing variable', () => {
  it('is reported for the database and both keys in production', () => {
    expect(linesOf({ NODE_ENV: 'production' })).toEqual([
      'COUNTERSIGN_DATABASE_URL: must be set in production',
      'COUNTERSIGN_JWT_KEYS: must be set in production; `countersign keys generate` makes one',
      'COUNTERSIGN_ENCRYPTION_KEYS: must be set in production; `countersign keys generate` makes one',
    ])
    expect(linesOf({ ...production, COUNTERSIGN_JWT_KEYS: '' })).toHaveLength(1)
    expect(linesOf(production)).toEqual([])
  })

  it('is named if a variable has the same name but for invisible characters or blanks', () => {
    const { COUNTERSIGN_DATABASE_URL: url, ...others } = production
    expect(linesOf({ ...others, '\uFEFFCOUNTERSIGN_DATABASE_URL': url })).toEqual([
      'COUNTERSIGN_DATABASE_URL: must be set in production; \\ufeffCOUNTERSIGN_DATABASE_URL is set, whose name has marks or blanks too many',
    ])
  })

  it('is reported for the issuer of receipts in production, if receipts have a key', () => {
    const receiptKeys = { COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing() }
    expect(linesOf({ ...production, ...receiptKeys })).toEqual([
      'COUNTERSIGN_RECEIPT_ISSUER: must be set in production where COUNTERSIGN_RECEIPT_KEYS is set',
    ])
    expect(linesOf(receiptKeys)).toEqual([])
  })

  it.each(['webhook', 'log, webhook'])('is reported for the URL and the secret of a webhook in the list %s', (push) => {
    expect(linesOf({ COUNTERSIGN_PUSH: push })).toEqual([
      'COUNTERSIGN_PUSH_WEBHOOK_URL: must be set where COUNTERSIGN_PUSH has webhook',
      'COUNTERSIGN_PUSH_WEBHOOK_SECRET: must be set where COUNTERSIGN_PUSH has webhook',
    ])
  })

  it('is reported for the keys and the contact of Web Push', () => {
    expect(linesOf({ COUNTERSIGN_PUSH: 'webpush' })).toEqual(
      ['PUBLIC_KEY', 'PRIVATE_KEY', 'SUBJECT'].map(
        (name) => `COUNTERSIGN_VAPID_${name}: must be set where COUNTERSIGN_PUSH has webpush`,
      ),
    )
  })

  it('is reported together with all other problems', () => {
    const env = { NODE_ENV: 'production', COUNTERSIGN_JWT_KEYS: 'x', COUNTERSIGN_PORT: 'x', COUNTERSIGN_PUSH: 'webhook' }
    expect(linesOf(env).map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'COUNTERSIGN_PORT',
      'COUNTERSIGN_JWT_KEYS',
      'COUNTERSIGN_DATABASE_URL',
      'COUNTERSIGN_ENCRYPTION_KEYS',
      'COUNTERSIGN_PUSH_WEBHOOK_URL',
      'COUNTERSIGN_PUSH_WEBHOOK_SECRET',
    ])
  })
})

it('no line contains a value', () => {
  const canary = 'CANARY5ecret'
  const names = namedSettings.map(([, { variable }]) => variable)
  const lines = linesOf(Object.fromEntries(names.map((name) => [name, `${canary}\n://${canary}:${canary}@`])))
  expect(lines).toHaveLength(names.length)
  expect(lines.join('\n')).not.toContain(canary)
})
