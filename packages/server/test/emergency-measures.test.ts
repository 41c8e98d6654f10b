import { setImmediate } from 'node:timers/promises'
import { type Operation, type OperationName, operations, rateLimitCategories } from '@countersign/contract'
import { perMinute } from '@countersign/core'
import {
  anAnnouncement,
  createTestDevice,
  registerTestDevice,
  registerTestPasskey,
  signIn,
  signInByDevice,
  signInByPasskey,
  signInNewDeviceUser,
} from '@countersign/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { createPasskey } from '../src/testing/passkeys.ts'
import { announceDevice, aPayment, initiatePayment, registerDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { openPostgresStorage, openSqlite, type TestStorage } from '../src/testing/test-storages.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const MINUTE = 60_000
/** Limits that a few requests use up. The test is about who is counted, not about the figures. */
const few = perMinute(1, 60 * MINUTE, 3)
const small = Object.fromEntries(rateLimitCategories.map((category) => [category, few]))
/** The milliseconds in which an emergency measure must be answered. */
const IN_TIME = 1000
const emergencies = [
  'account.lock',
  'auth.logout',
  'confirmations.reject',
  'confirmations.withdraw',
  'devices.remove',
  'passkeys.remove',
  'sessions.end',
  'sessions.endOthers',
] as const satisfies readonly OperationName[]
const ways = [...emergencies, 'account.lock with a passkey', 'confirmations.reject with a passkey'] as const

it('every operation without a limit is an emergency measure, or ends a request of several people', () => {
  const unlimited = Object.entries(operations).flatMap(([name, { rateLimit }]) => (rateLimit === 'unlimited' ? [name] : []))
  expect(unlimited.toSorted()).toEqual([...emergencies, 'approvals.stop', 'approvals.withdraw'].toSorted())
})

const isLimited = ([name, { rateLimit }]: readonly [string, Operation]) =>
  rateLimitCategories.some((category) => category === rateLimit) && !emergencies.some((emergency) => emergency === name)
const limited = Object.entries(operations).filter(isLimited) as [OperationName, Operation][]

describe.each([
  { name: 'SQLite', open: openSqlite },
  { name: 'PostgreSQL', open: openPostgresStorage },
])('whatever a thief does in one session of a user, on $name,', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  beforeAll(async () => {
    opened = await open()
    test = await createTestApp({
      storage: opened.storage,
      options: { rateLimits: small, devicesPerUser: 3, passkeyApprovals: true },
    })
  })
  afterAll(() => opened.remove())

  /** A user with a trusted phone, a thief with an older web session of the user, and the user at the same address. */
  const given = async () => {
    const { user, web: stolen, ...phone } = await signInNewDeviceUser(test)
    const { passkey, virtual } = await registerTestPasskey(test, stolen.caller)
    test.clock.advance(11 * MINUTE)
    const [web, spare, onPhone] = [await signIn(test, user), await signIn(test, user), await signInByDevice(test, phone)]
    const byPasskey = await signInByPasskey(test, virtual)
    const added = await registerTestDevice(test, stolen.caller)
    const { confirmationId } = await initiatePayment(test, stolen.tokens.accessToken)
    const own = await initiatePayment(test, web.tokens.accessToken)
    const address = `198.51.100.${Math.floor(Math.random() * 256)}`
    const thief = { token: stolen.tokens.accessToken, address }

    /** Inputs that get further than the rate limit. Every other operation is called without input. */
    const inputs: Partial<Record<OperationName, () => object | Promise<object>>> = {
      'auth.login': () => ({ email: user.email, password: 'a wrong password' }),
      'password.change': () => ({ currentPassword: 'a wrong password', newPassword: 'another password, long enough' }),
      'devices.setPushToken': () => ({ deviceId: added.device.id, pushToken: 'the push token of the thief' }),
      'devices.beginRegistration': () => anAnnouncement(createTestDevice('ES256')),
      'devices.finishRegistration': async () => (await announceDevice(test, thief.token)).registration,
      'passkeys.finishRegistration': () => createPasskey(test, thief.token),
      'confirmations.initiate': () => ({ actionType: 'payment_approval', actionPayload: aPayment }),
      'approvals.start': () => ({ actionType: 'payment_approval', actionPayload: aPayment }),
    }
    const names = { deviceId: added.device.id, credentialId: passkey.id, confirmationId }
    const steal = async (name: OperationName) => {
      // A refused first step of two leaves the second one without its input.
      const input = await Promise.resolve(inputs[name]?.()).catch(() => undefined)
      return test.call(name, { ...names, ...input }, thief)
    }

    const owner = { token: web.tokens.accessToken, address }
    const trusted = { token: onPhone.tokens.accessToken, address }
    const withPasskey = { token: byPasskey.tokens.accessToken, address }
    const measures: Record<(typeof ways)[number], () => ReturnType<TestApp['call']>> = {
      'account.lock with a passkey': () => test.call('account.lock', {}, withPasskey),
      'confirmations.reject with a passkey': () =>
        test.call('confirmations.reject', { confirmationId, notMe: true }, withPasskey),
      'account.lock': () => test.call('account.lock', {}, trusted),
      'auth.logout': () => test.call('auth.logout', { refreshToken: web.tokens.refreshToken }, owner),
      'confirmations.reject': () => test.call('confirmations.reject', { confirmationId, notMe: true }, trusted),
      'confirmations.withdraw': () => test.call('confirmations.withdraw', { confirmationId: own.confirmationId }, owner),
      'devices.remove': () => test.call('devices.remove', { deviceId: added.device.id }, owner),
      'passkeys.remove': () => test.call('passkeys.remove', { credentialId: passkey.id }, owner),
      'sessions.end': () => test.call('sessions.end', { sessionId: spare.caller.sessionId }, owner),
      'sessions.endOthers': () => test.call('sessions.endOthers', {}, owner),
    }
    return { steal, measures, owner }
  }

  /** Takes a measure while the thief goes on. */
  const expectAnswered = async (measure: () => ReturnType<TestApp['call']>, steal: () => Promise<unknown>) => {
    let isOver = false
    const goingOn = (async () => {
      while (!isOver) {
        await steal()
        // Requests of a socket let each other run. These have no socket.
        await setImmediate()
      }
    })()
    const time = startStopwatch()
    const { status, text } = await measure()
    const milliseconds = time()
    isOver = true
    await goingOn
    expect({ status, text }).toMatchObject({ status: 200 })
    expect(milliseconds).toBeLessThan(IN_TIME)
  }

  /** One limited operation of each category. */
  const ofEachCategory = [
    'password.change',
    'passkeys.beginRegistration',
    'devices.beginRegistration',
    'confirmations.initiate',
    'devices.list',
  ] as const

  it.each(ways)('%s is possible when the session has used up every limit', async (emergency) => {
    const { steal, measures } = await given()
    for (const name of ofEachCategory) {
      const answers = await Promise.all(Array.from({ length: few.burst + 1 }, () => steal(name)))
      expect(answers.map(({ status }) => status)).toContain(429)
    }
    await expectAnswered(measures[emergency], () => steal('devices.list'))
  })

  it('the user can enrol a phone although the thief registers as many devices as the service accepts', async () => {
    const { steal, owner } = await given()
    const answers = await Promise.all(Array.from({ length: 2 }, () => steal('devices.finishRegistration')))
    expect(answers.map(({ status }) => status)).toContain(200)
    for (let time = 0; time < 4; time += 1) await steal('devices.finishRegistration')
    const { device } = await registerDevice(test, owner.token, { headers: { 'countersign-extended': '1' } })
    expect(device).toMatchObject({ trusted: true })
  })

  it('every measure is possible after any sequence of calls of limited operations', async () => {
    const calls = fc.record({ name: fc.constantFrom(...limited.map(([name]) => name)), times: fc.integer({ min: 1, max: 5 }) })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ways), fc.array(calls, { minLength: 1, maxLength: 6 }), async (emergency, sequence) => {
        const { steal, measures } = await given()
        for (const { name, times } of sequence) await Promise.all(Array.from({ length: times }, () => steal(name)))
        await expectAnswered(measures[emergency], () => steal(sequence[0]?.name ?? 'devices.list'))
      }),
      { numRuns: 20 },
    )
  })
})
