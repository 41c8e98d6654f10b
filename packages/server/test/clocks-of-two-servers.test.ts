import { allParts, type Clock, type Countersign, generateKeyRing, systemClock, systemRandom } from '@countersign/core'
import { recordingLogger, signIn, signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openCountersign } from '../src/compose.ts'
import { readConfig } from '../src/config/read-config.ts'

const MINUTE = 60_000
/** Milliseconds that the tests may take between two readings of a clock. */
const TOLERANCE = 20_000

/** The clock of a machine that somebody set wrong. */
const setAhead = (milliseconds: number): Clock => ({ now: () => systemClock.now() + milliseconds })

/** Two servers of one PostgreSQL database with the same keys. The clock of the second machine is ahead. */
const twoServers = async (ahead: number) => {
  const { url, drop } = await createPostgresDatabase()
  const config = readConfig({
    COUNTERSIGN_DATABASE_URL: url,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
  })
  const logger = recordingLogger()
  const right = await openCountersign(config, { logger: recordingLogger(), parts: allParts })
  const wrong = await openCountersign(config, { logger, parts: allParts, machineClock: setAhead(ahead) })
  await right.storage.migrate()
  const close = async () => {
    await wrong.close()
    await right.close()
    await drop()
  }
  return { right, wrong, logger, close }
}

/** Returns the time of issue in a token, in milliseconds. */
const issuedAt = (token: string): number => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iat * 1000

const isAbout = (instant: number, expected: number): boolean => Math.abs(instant - expected) < TOLERANCE

describe.each([
  ['ten minutes', 10 * MINUTE],
  ['five hours', 300 * MINUTE],
])('a server whose clock is %s ahead', (_, ahead) => {
  let servers: Awaited<ReturnType<typeof twoServers>>
  beforeAll(async () => {
    servers = await twoServers(ahead)
  })
  afterAll(() => servers?.close())

  it('locks no address out on the other server', async () => {
    const { right, wrong } = servers
    const take = ({ countersign }: { readonly countersign: Countersign }) =>
      countersign.rateLimits.take({ category: 'authentication', subject: '192.0.2.7' })
    for (let request = 0; request < 10; request += 1) expect(await take(wrong)).toMatchObject({ allowed: true })
    // Both servers count in one time, so the ten requests count here too.
    for (let request = 0; request < 10; request += 1) expect(await take(right)).toMatchObject({ allowed: true })
    for (const server of [right, wrong, right]) {
      const { allowed, retryAfterMs } = (await take(server)) ?? { allowed: true, retryAfterMs: 0 }
      if (!allowed) expect(retryAfterMs).toBeLessThanOrEqual(6000)
    }
  })

  it('deletes no valid challenge of the other server', async () => {
    const { right, wrong } = servers
    const challenge = await right.countersign.mobile.beginLogin({ deviceFingerprint: 'fingerprint-1' })
    await wrong.countersign.sweep()
    expect(await right.storage.challenges.consume(challenge.id, 'device_login', null, Date.now())).toBeDefined()
  })

  it('creates confirmations that expire after five minutes on both servers', async () => {
    const { right, wrong } = servers
    const user = await signInNewDeviceUser(right)
    const { caller } = await signIn(wrong, user.user)
    const confirmation = await wrong.countersign.confirmations.initiate({
      caller,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
    })
    expect(isAbout(confirmation.expiresAt, Date.now() + 5 * MINUTE)).toBe(true)
    for (const { countersign } of [right, wrong]) {
      const status = await countersign.confirmations.status({ caller, confirmationId: confirmation.id })
      expect(status).toMatchObject({ status: 'pending', expiresAt: confirmation.expiresAt })
    }
    await wrong.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: confirmation.id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(confirmation.challenge),
    })
    expect(await right.countersign.confirmations.status({ caller, confirmationId: confirmation.id })).toMatchObject({
      status: 'approved',
    })
  })

  it('signs access tokens by its own clock, and warns of the difference once', async () => {
    const { right, wrong, logger } = servers
    const user = await signInNewDeviceUser(right)
    const { tokens } = await signIn(wrong, user.user)
    expect(isAbout(issuedAt(tokens.accessToken), Date.now() + ahead)).toBe(true)
    expect(isAbout(issuedAt(tokens.refreshToken), Date.now())).toBe(true)
    await expect(right.countersign.auth.authenticate({ token: tokens.accessToken })).resolves.toMatchObject({
      userId: user.user.id,
    })
    const warnings = logger.entries.filter(({ level }) => level === 'warn')
    expect(warnings).toMatchObject([{ event: 'clock_differs', fields: { databaseAheadMs: expect.any(Number) } }])
    expect(isAbout((await wrong.countersign.health()).clockOffsetMs ?? 0, -ahead)).toBe(true)
    expect(Math.abs((await right.countersign.health()).clockOffsetMs ?? Number.NaN)).toBeLessThan(1000)
  })

  it('gives the same successor if the client repeats a refresh at the other server', async () => {
    const { right, wrong } = servers
    for (const [first, second] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      const { refreshToken } = (await signInNewDeviceUser(right)).web.tokens
      const renewal = { refreshToken, renewalKey: 'k'.repeat(22) }
      const next = await first.countersign.auth.refresh(renewal)
      expect(await second.countersign.auth.refresh(renewal)).toMatchObject({ refreshToken: next.refreshToken })
      await expect(second.countersign.auth.refresh({ refreshToken })).rejects.toMatchObject({ code: 'invalid_refresh_token' })
    }
  })
})
