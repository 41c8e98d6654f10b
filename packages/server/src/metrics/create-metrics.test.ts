import { errors, type LaneLoad, PushTokenGone } from '@countersign/core'
import { recordingPush } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { aPushMessage } from '../testing/push-message.ts'
import { initiatePayment, serviceToken, signIn, signInWithDevice } from '../testing/sign-in.ts'
import { createTestApp, type TestAppOptions } from '../testing/test-app.ts'
import { createMetrics, type Metrics } from './create-metrics.ts'

const given = async (options: TestAppOptions = {}) => {
  const metrics = createMetrics({ process: false })
  const test = await createTestApp({ ...options, observer: metrics, app: { onRequest: metrics.request } })
  return { metrics, test }
}

/** Returns the values of a metric by its labels. */
const valuesOf = async (metrics: Metrics, name: string): Promise<Readonly<Record<string, number>>> => {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value = ''] = /^\w+(?:\{(.*)\})? (.*)$/.exec(line) ?? []
      return [labels.replaceAll('"', ''), Number(value)]
    }),
  )
}

/** Returns the values that are not 0. */
const countsOf = async (metrics: Metrics, name: string) =>
  Object.fromEntries(Object.entries(await valuesOf(metrics, name)).filter(([, value]) => value !== 0))

it('every counter that an alert reads is 0 from the start, so that its first increase is seen', async () => {
  const metrics = createMetrics({ process: false })
  expect(await valuesOf(metrics, 'countersign_confirmations_total')).toMatchObject({
    'action_type=payment_approval,outcome=wrong_signature': 0,
    'action_type=payment_approval,outcome=wrong_number': 0,
    'action_type=other,outcome=wrong_signature': 0,
  })
  expect(await valuesOf(metrics, 'countersign_requests_total')).toMatchObject({
    'operation=auth.login,status=401': 0,
    'operation=auth.login,status=429': 0,
    'operation=confirmations.verify,status=503': 0,
  })
  expect(await valuesOf(metrics, 'countersign_limits_refused_total')).toMatchObject({
    'operation=confirmations.initiate,code=rate_limited': 0,
  })
  metrics.countingPush(recordingPush(), 'webhook')
  expect(await valuesOf(metrics, 'countersign_push_deliveries_total')).toMatchObject({
    'provider=webhook,type=confirmation.requested,outcome=failed': 0,
  })
})

it('the first step of a registered type begins all counters of the type', async () => {
  const metrics = createMetrics({ process: false })
  metrics.confirmation({ actionType: 'wire_transfer', outcome: 'initiated' })
  expect(await valuesOf(metrics, 'countersign_confirmations_total')).toMatchObject({
    'action_type=wire_transfer,outcome=initiated': 1,
    'action_type=wire_transfer,outcome=wrong_signature': 0,
  })
})

describe('requests', () => {
  it('are counted by operation and status, without anything that the client chose', async () => {
    const { metrics, test } = await given()
    const { token } = await signIn(test)
    await test.call('confirmations.status', { confirmationId: 'secret-id' }, { token })
    await test.send('GET', '/secret-path?secret=query')
    await test.send('PURGE', '/health')
    expect(await countsOf(metrics, 'countersign_requests_total')).toEqual({
      'operation=auth.login,status=200': 1,
      'operation=confirmations.status,status=404': 1,
      'operation=unknown,status=404': 1,
      'operation=unknown,status=405': 1,
    })
    expect(await valuesOf(metrics, 'countersign_request_duration_seconds_count')).toMatchObject({ 'operation=auth.login': 1 })
    expect(await metrics.text()).not.toContain('secret')
  })

  it('that a limit refuses are counted by the code of the refusal', async () => {
    const { metrics, test } = await given({ options: { pendingConfirmationsPerUser: 1 } })
    const { token } = await signIn(test)
    await initiatePayment(test, token)
    await test.call(
      'confirmations.initiate',
      { actionType: 'payment_approval', count: 1, actionPayload: { amount: 1, currency: 'EUR', recipient: 'A' } },
      { token },
    )
    expect(await countsOf(metrics, 'countersign_limits_refused_total')).toEqual({
      'operation=confirmations.initiate,code=too_many_pending_confirmations': 1,
    })
  })
})

describe('requests that are refused with 503', () => {
  it('are counted by the code of the refusal and its cause; reports of an unhealthy server are not', async () => {
    const storage = await createTestStorage()
    const reason = 'database_full'
    storage.users.byEmail = async () => {
      throw new errors.Unavailable(undefined, { reason })
    }
    storage.ping = async () => {
      throw new errors.Unavailable(undefined, { reason })
    }
    const { metrics, test } = await given({ storage })
    expect((await test.call('auth.login', { email: 'ada@example.test', password: 'a password of Ada' })).status).toBe(503)
    expect((await test.call('health.check')).status).toBe(503)
    expect(await valuesOf(metrics, 'countersign_unavailable_total')).toEqual({
      'operation=auth.login,code=unavailable,reason=database_full': 1,
    })
  })
})

describe('confirmations', () => {
  it('are counted by type and outcome', async () => {
    const { metrics, test } = await given()
    const { token, deviceToken, device, signer } = await signInWithDevice(test)
    const { confirmationId, challenge } = await initiatePayment(test, token)
    await test.ask(
      'confirmations.verify',
      { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) },
      { token: deviceToken },
    )
    await test.background.drain()
    expect(await countsOf(metrics, 'countersign_confirmations_total')).toEqual({
      'action_type=payment_approval,outcome=initiated': 1,
      'action_type=payment_approval,outcome=approved': 1,
    })
  })

  it('are measured by the time from the request to the decision', async () => {
    const { metrics } = await given()
    metrics.confirmation({ actionType: 'payment_approval', outcome: 'approved', decidedAfter: 12_500 })
    metrics.confirmation({ actionType: 'payment_approval', outcome: 'initiated' })
    expect(await valuesOf(metrics, 'countersign_confirmation_decision_seconds_sum')).toEqual({ 'outcome=approved': 12.5 })
    expect(await valuesOf(metrics, 'countersign_confirmation_decision_seconds_count')).toEqual({ 'outcome=approved': 1 })
  })

  it('of many registered types share the label `other`', async () => {
    const { metrics } = await given()
    for (let index = 0; index < 300; index += 1) metrics.confirmation({ actionType: `type_${index}`, outcome: 'approved' })
    metrics.confirmation({ actionType: 'payment_approval', outcome: 'approved' })
    const values = await countsOf(metrics, 'countersign_confirmations_total')
    expect(Object.keys(values).length).toBeLessThanOrEqual(102)
    expect(values['action_type=other,outcome=approved']).toBeGreaterThanOrEqual(200)
    expect(values['action_type=payment_approval,outcome=approved']).toBe(1)
  })
})

describe('the state of a server', () => {
  const state = {
    storage: () => ({
      connections: { most: 10, inUse: 7, waiting: 3 },
      listening: false,
      sessionCache: { hits: 5, misses: 2 },
    }),
    passwords: (): readonly LaneLoad[] => [
      { lane: 'own', running: 1, waiting: 4, waitMs: 250, longestWaitMs: 1500 },
      { lane: 'foreign', running: 2, waiting: 0, waitMs: 1750, longestWaitMs: 1500 },
    ],
    health: async () => ({
      services: { database: 'unhealthy', cache: 'not_configured', pushProvider: 'healthy' } as const,
      clockOffsetMs: -2500,
    }),
    readiness: async () => ({ status: 'unready' as const }),
    serviceTokens: async () => [],
    expiredApprovals: async () => ({ confirmation: 3, request: 0 }),
  } as const

  it('has the number of expired confirmations, which is read once a minute', async () => {
    const { metrics } = await given()
    let asked = 0
    const expiredApprovals = async () => {
      asked += 1
      return { confirmation: 3, request: 0 }
    }
    metrics.watch({ ...state, expiredApprovals })
    for (let scrape = 0; scrape < 2; scrape += 1) {
      expect(await valuesOf(metrics, 'countersign_approvals_expired')).toEqual({ 'kind=confirmation': 3, 'kind=request': 0 })
    }
    expect(asked).toBe(1)
    metrics.watch({ ...state, expiredApprovals: () => Promise.reject(new Error('no database')) })
    expect(await metrics.text()).toContain('countersign_approvals_expired')
  })

  it('is read at each scrape', async () => {
    const { metrics } = await given()
    metrics.watch(state)
    for (let scrape = 0; scrape < 2; scrape += 1) {
      expect(await valuesOf(metrics, 'countersign_database_connections_in_use')).toEqual({ '': 7 })
      expect(await valuesOf(metrics, 'countersign_database_connections_max')).toEqual({ '': 10 })
      expect(await valuesOf(metrics, 'countersign_database_connection_waiters')).toEqual({ '': 3 })
      expect(await valuesOf(metrics, 'countersign_database_listening')).toEqual({ '': 0 })
      expect(await valuesOf(metrics, 'countersign_session_cache_lookups_total')).toEqual({ 'result=hit': 5, 'result=miss': 2 })
      const lanes = async (name: string) => Object.values(await valuesOf(metrics, `countersign_password_${name}`))
      expect(await valuesOf(metrics, 'countersign_password_hashes_running')).toEqual({ 'lane=own': 1, 'lane=foreign': 2 })
      expect(await lanes('hashes_waiting')).toEqual([4, 0])
      expect(await lanes('hash_wait_seconds')).toEqual([0.25, 1.75])
      expect(await lanes('hash_wait_max_seconds')).toEqual([1.5, 1.5])
      expect(await valuesOf(metrics, 'countersign_healthy')).toEqual({ 'service=database': 0, 'service=push_provider': 1 })
      expect(await valuesOf(metrics, 'countersign_clock_offset_seconds')).toEqual({ '': -2.5 })
      expect(await valuesOf(metrics, 'countersign_ready')).toEqual({ '': 0 })
    }
  })

  it('has the days until the last token of each service expires; revoked tokens do not count', async () => {
    const { metrics } = await given()
    const token = (service: string, days: number, revokedAt: number | null = null) => ({
      id: `${service}-${days}`,
      service,
      scopes: [],
      within: [],
      createdAt: 0,
      expiresAt: Date.now() + days * 86_400_000,
      revokedAt,
    })
    const serviceTokens = async () => [token('billing', 3), token('billing', 30), token('mail', -1), token('old', 9, 1)]
    metrics.watch({ ...state, serviceTokens })
    const seconds = await valuesOf(metrics, 'countersign_service_token_expires_seconds')
    expect(Object.keys(seconds)).toEqual(['service=billing', 'service=mail'])
    expect(seconds['service=billing']).toBeCloseTo(30 * 86_400, -2)
    expect(seconds['service=mail']).toBeCloseTo(-86_400, -2)
  })

  it('reads the service tokens again after some minutes, and after the clock was set back', async () => {
    const { metrics } = await given()
    const serviceTokens = vi.fn(async () => [])
    metrics.watch({ ...state, serviceTokens })
    const now = vi.spyOn(Date, 'now')
    const startedAt = 1_800_000_000_000
    for (const minutes of [0, 0.01, 60, -600, -600.01]) {
      now.mockReturnValue(startedAt + minutes * 60_000)
      await valuesOf(metrics, 'countersign_service_token_expires_seconds')
    }
    expect(serviceTokens).toHaveBeenCalledTimes(3)
  })

  it('is 0 and `listening` before a server is open, and for a hasher that does not report its load', async () => {
    const { metrics } = await given()
    expect(await valuesOf(metrics, 'countersign_database_listening')).toEqual({ '': 1 })
    expect(await valuesOf(metrics, 'countersign_healthy')).toEqual({})
    expect(await valuesOf(metrics, 'countersign_ready')).toEqual({})
    metrics.watch({
      ...state,
      passwords: () => undefined,
      health: async () => ({ ...(await state.health()), clockOffsetMs: null }),
    })
    expect(await valuesOf(metrics, 'countersign_clock_offset_seconds')).toEqual({})
    expect(await valuesOf(metrics, 'countersign_password_hashes_waiting')).toEqual({})
  })
})

it('statements are measured, and failures counted', async () => {
  const { metrics } = await given()
  metrics.statement({ system: 'postgresql', text: 'select 1', milliseconds: 3 })
  metrics.statement({ system: 'postgresql', text: 'select 1', milliseconds: 30, error: new Error('no') })
  expect(await valuesOf(metrics, 'countersign_statement_duration_seconds_count')).toEqual({ '': 2 })
  expect(await valuesOf(metrics, 'countersign_statement_failures_total')).toEqual({ '': 1 })
})

it('push messages are counted by provider, type and outcome, and a failure still reaches the caller', async () => {
  const { metrics, test } = await given()
  const push = metrics.countingPush(test.push, 'webhook')
  const message = aPushMessage({ pushToken: 't', expiresAt: 0 })
  await push.send(message)
  test.push.failWith(new TypeError('no'))
  await expect(push.send(message)).rejects.toThrow(TypeError)
  test.push.failWith(new PushTokenGone())
  await expect(push.send(message)).rejects.toThrow(PushTokenGone)
  expect(await push.health()).toBe(await test.push.health())
  expect(await countsOf(metrics, 'countersign_push_deliveries_total')).toEqual({
    'provider=webhook,type=confirmation.requested,outcome=delivered': 1,
    'provider=webhook,type=confirmation.requested,outcome=failed': 1,
    'provider=webhook,type=confirmation.requested,outcome=gone': 1,
  })
})

it('warnings and errors of the log are counted by event, and still logged', async () => {
  const { metrics, test } = await given()
  const logger = metrics.countingLogger(test.logger)
  logger.warn('push_failed', { deviceId: 'd' })
  logger.error('request_failed')
  logger.info('listening')
  logger.debug('request')
  expect(test.logger.entries.map(({ level, event }) => [level, event])).toEqual([
    ['warn', 'push_failed'],
    ['error', 'request_failed'],
    ['info', 'listening'],
    ['debug', 'request'],
  ])
  const values = await valuesOf(metrics, 'countersign_log_events_total')
  expect(Object.entries(values).filter(([, value]) => value > 0)).toEqual([
    ['level=warn,event=push_failed', 1],
    ['level=error,event=request_failed', 1],
  ])
  expect(values['level=warn,event=refresh_token_reused']).toBe(0)
})

it('refused credentials are counted by reason, and no reason is lost before its first event', async () => {
  const { metrics, test } = await given()
  const logger = metrics.countingLogger(test.logger)
  logger.warn('passkey_refused', { reason: 'counter', userId: 1, passkeyId: 'AAAAAAAA' })
  logger.info('refresh_token_refused', { reason: 'expired', userId: 1 })
  logger.info('registration_refused', { reason: 'signature', kind: 'device', userId: 1 })
  logger.warn('passkey_refused', { reason: 'anything else' })
  const values = await valuesOf(metrics, 'countersign_refusals_total')
  expect(Object.entries(values).filter(([, value]) => value > 0)).toEqual([
    ['event=passkey_refused,reason=counter', 1],
    ['event=registration_refused,reason=signature', 1],
    ['event=refresh_token_refused,reason=expired', 1],
  ])
  expect(values['event=device_login_refused,reason=signature']).toBe(0)
})

it('no label contains the id of a user, device or confirmation, or an address', async () => {
  const { metrics, test } = await given()
  const user = await signInWithDevice(test)
  const { confirmationId } = await initiatePayment(test, user.token)
  await test.call('devices.list', {}, { token: user.token, address: '198.51.100.77' })
  await test.call('services.confirmation', { confirmationId }, { token: await serviceToken(test) })
  await test.background.drain()
  const text = await metrics.text()
  for (const secret of [user.device.id, confirmationId, user.user.email, '198.51.100.77', '203.0.113.1']) {
    expect(text).not.toContain(secret)
  }
})

it('two servers of one process have separate metrics, and so has the process', async () => {
  const one = createMetrics()
  const other = createMetrics()
  one.confirmation({ actionType: 'payment_approval', outcome: 'approved' })
  expect(await countsOf(other, 'countersign_confirmations_total')).toEqual({})
  expect(Object.keys(await valuesOf(one, 'nodejs_eventloop_lag_p99_seconds'))).toEqual([''])
})
