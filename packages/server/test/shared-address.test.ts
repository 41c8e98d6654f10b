import {
  type RegisteredDevice,
  registerTestDevice,
  registerTestPasskey,
  signInByDevice,
  signInNewUser,
  testPassword,
} from '@countersign/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { signPasskeyLogin } from '../src/testing/passkeys.ts'
import type { Tokens } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000 })

const MINUTE = 60_000
/** The address that an office or a carrier shares among its people. */
const shared = { address: '198.51.100.7' }

const phoneOf = async (test: TestApp): Promise<RegisteredDevice> => registerTestDevice(test, (await signInNewUser(test)).caller)

/** Logs in by a phone behind the shared address. */
const logIn = async (test: TestApp, { device, signer }: RegisteredDevice) => {
  const { deviceFingerprint } = device
  const begun = await test.call('mobile.beginLogin', { deviceFingerprint }, shared)
  if (begun.status !== 200) return begun
  const { sessionId, challenge } = (begun.body as { data: { sessionId: string; challenge: string } }).data
  return test.call('mobile.finishLogin', { sessionId, signedChallenge: signer.sign(challenge) }, shared)
}

const guess = (test: TestApp) => test.call('auth.login', { email: 'ada@example.test', password: 'a guess' }, shared)

const remaining = ({ headers }: { readonly headers: Headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]

describe('behind one address', () => {
  it('500 phones sign in and renew for an hour without a refusal, and somebody who guesses at the same address is refused', async () => {
    const test = await createTestApp()
    const start = test.clock.now()
    const refused: unknown[] = []
    const expectDone = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
      if (status !== 200) refused.push({ at: test.clock.now() - start, status, body })
      return body as { readonly data: { readonly tokens: Tokens } }
    }

    interface Step {
      readonly at: number
      readonly run: () => Promise<void>
    }
    const steps: Step[] = []
    let renewals = 0
    for (let index = 0; index < 500; index += 1) {
      const phone = await phoneOf(test)
      let refreshToken = ''
      // The phones start one after another in the first quarter of an hour, and renew before their access tokens expire.
      const at = start + Math.floor((index * 15 * MINUTE) / 500)
      steps.push({
        at,
        run: async () => {
          refreshToken = expectDone(await logIn(test, phone)).data.tokens.refreshToken
        },
      })
      for (let renewal = at + 14 * MINUTE; renewal < start + 60 * MINUTE; renewal += 14 * MINUTE) {
        const run = async () => {
          const answer = expectDone(await test.call('mobile.refresh', { refreshToken }, shared))
          refreshToken = answer.data.tokens.refreshToken
          renewals += 1
        }
        steps.push({ at: renewal, run })
      }
    }
    // The guesser tries every three seconds. While the phones sign in, one guess a minute is all that they leave room for.
    const guesses: number[] = []
    for (let at = start; at < start + 60 * MINUTE; at += at < start + 15 * MINUTE ? MINUTE : 3000) {
      steps.push({ at, run: async () => void guesses.push((await guess(test)).status) })
    }

    for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
      test.clock.set(at)
      await run()
    }
    expect(refused).toEqual([])
    expect(renewals).toBeGreaterThan(1500)
    expect(guesses.filter((status) => status === 429).length).toBeGreaterThan(400)
  })

  it('successful logins by phone and by passkey do not count for the limit of the address', async () => {
    const test = await createTestApp()
    const phone = await phoneOf(test)
    const { virtual } = await registerTestPasskey(test, (await signInNewUser(test)).caller)
    for (let time = 0; time < 25; time += 1) {
      const byPhone = await logIn(test, phone)
      const byPasskey = await test.call('passkeys.finishLogin', await signPasskeyLogin(test, virtual), shared)
      expect([byPhone.status, byPasskey.status, remaining(byPhone), remaining(byPasskey)]).toEqual([200, 200, '19', '19'])
    }
    const wrong = await test.call('mobile.finishLogin', { sessionId: crypto.randomUUID(), signedChallenge: 'AAAA' }, shared)
    expect([wrong.status, remaining(wrong)]).toEqual([401, '19'])
    expect(remaining(await guess(test))).toBe('18')
  })

  it('logins by password count, whether they succeed or fail', async () => {
    const test = await createTestApp()
    const { user } = await signInNewUser(test)
    const login = () => test.call('auth.login', { email: user.email, password: testPassword }, shared)
    for (let time = 0; time < 20; time += 1) expect((await login()).status).toBe(200)
    expect((await login()).status).toBe(429)
  })
})

describe('a refresh', () => {
  const refresh = (test: TestApp, refreshToken: unknown) => test.call('auth.refresh', { refreshToken }, shared)

  it('counts for the session of a token that the service signed, and for the address with any other token', async () => {
    const test = await createTestApp()
    const { user, tokens } = await signInNewUser(test)
    const [header, payload] = tokens.refreshToken.split('.')
    for (const token of [`${header}.${payload}.AAAA`, 'x', '', 7, undefined]) await refresh(test, token)
    await test.send('POST', '/api/v1/auth/refresh', { ...shared, body: '{' })
    expect(remaining(await guess(test))).toBe('13')
    const answer = await refresh(test, tokens.refreshToken)
    expect([answer.status, remaining(answer)]).toEqual([200, '19'])
    const others = await test.countersign.auth.login({ email: user.email, password: testPassword })
    expect(remaining(await refresh(test, others.refreshToken))).toBe('19')
    expect(remaining(await guess(test))).toBe('12')
  })

  it('counts for the session also with an expired token, and is refused above the limit', async () => {
    const test = await createTestApp()
    const { tokens } = await signInNewUser(test)
    test.clock.advance(4 * 24 * 60 * MINUTE)
    for (let time = 0; time < 20; time += 1) expect((await refresh(test, tokens.refreshToken)).status).toBe(401)
    expect((await refresh(test, tokens.refreshToken)).status).toBe(429)
    expect(remaining(await guess(test))).toBe('19')
  })

  it('by a phone counts for its session too', async () => {
    const test = await createTestApp()
    const { tokens } = await signInByDevice(test, await phoneOf(test))
    const first = await test.call('mobile.refresh', { refreshToken: tokens.refreshToken }, shared)
    expect([first.status, remaining(first)]).toEqual([200, '19'])
    expect(remaining(await test.call('mobile.refresh', { refreshToken: 'x' }, shared))).toBe('19')
  })

  it('does not spend the token if the limit refuses it', async () => {
    const test = await createTestApp()
    const { tokens } = await signInNewUser(test)
    let { refreshToken } = tokens
    for (let time = 0; time < 20; time += 1) {
      refreshToken = (await test.ask('auth.refresh', { refreshToken }, shared)).refreshToken
    }
    expect((await refresh(test, refreshToken)).status).toBe(429)
    test.clock.advance(6000)
    expect((await refresh(test, refreshToken)).status).toBe(200)
  })
})
