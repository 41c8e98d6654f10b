import { describe, expect, it } from 'vitest'
import { openBeforeAll } from '../../src/testing/open-before-all.ts'
import { registerDevice, signDeviceLogin } from '../../src/testing/sign-in.ts'
import type { TestApp } from '../../src/testing/test-app.ts'
import { openSqlite } from '../../src/testing/test-storages.ts'
import { beginLogin, type LoginCeremony } from '../../src/testing/webauthn/ceremony.ts'
import { expectNoGaps, type Step, stepsToCases } from '../../src/testing/webauthn/steps.ts'
import { expectRefusal } from '../../src/testing/webauthn/violation.ts'
import { authenticatorSteps } from './steps/login-authenticator.ts'
import { clientSteps } from './steps/login-client.ts'
import { recordSteps } from './steps/login-record.ts'
import { userSteps } from './steps/login-user.ts'
import type { LoginViolation } from './steps/login-violation.ts'

/*
 * WebAuthn Level 3 §7.2, step by step: requests that violate exactly that step, or the reason why there are none. The same
 * ceremony without the violation succeeds.
 */

const steps: readonly Step<LoginViolation>[] = [...userSteps, ...clientSteps, ...authenticatorSteps, ...recordSteps]

it('every step of WebAuthn Level 3 §7.2 has violations, or a reason why there are none', () => {
  expectNoGaps(steps, 25)
})

describe('a login', () => {
  let test: TestApp
  openBeforeAll(openSqlite, (app) => {
    test = app
  })

  it.each(stepsToCases(steps))('is refused at step $step ($says): $violation.name', async ({ violation }) => {
    await expectRefusal(test, 'passkeys.finishLogin', beginLogin, violation)
  })

  /** Unusual but valid inputs that a step must accept. */
  const accepted: readonly { readonly name: string; readonly ceremony: LoginCeremony }[] = [
    { name: 'a passkey that names no user, by email (step 6)', ceremony: { byEmail: true, changes: { userHandle: null } } },
    {
      name: 'client data with a byte order mark (step 8)',
      ceremony: { changes: { clientDataBytes: (bytes) => Buffer.from(`\uFEFF${Buffer.from(bytes)}`) } },
    },
    { name: 'client data with members of the future (step 9)', ceremony: { changes: { clientData: { futureMember: [{}] } } } },
    { name: 'client data without crossOrigin (step 13)', ceremony: { changes: { clientData: { crossOrigin: undefined } } } },
    {
      name: 'a user who is not verified, when verification is only preferred (step 17)',
      ceremony: { changes: { flags: { userVerified: false } } },
    },
    {
      name: 'a passkey that has been backed up since (step 19)',
      ceremony: { passkey: { backedUp: false }, changes: { flags: { backedUp: true } } },
    },
    {
      name: 'a passkey that is no longer backed up (step 19)',
      ceremony: { changes: { flags: { backedUp: false } } },
    },
    { name: 'a signature of RS256 (step 21)', ceremony: { passkey: { algorithm: 'RS256' } } },
    { name: 'a signature counter that starts (step 22)', ceremony: { changes: { signCount: 1 } } },
    {
      name: 'the highest count there is (step 22)',
      ceremony: { created: { signCount: 2 ** 32 - 2 }, changes: { signCount: 2 ** 32 - 1 } },
    },
    { name: 'extensions that were not requested (step 23)', ceremony: { changes: { extensions: new Map([['x', 'y']]) } } },
  ]
  it.each(accepted)('is not refused for $name', async ({ ceremony }) => {
    const { answer, finish } = await beginLogin(test, ceremony)
    const { status, text } = await finish(answer())
    expect([status, text]).toEqual([200, text])
  })

  it('succeeds repeatedly with a signature counter of 0', async () => {
    const { test: app, passkey, answer, finish } = await beginLogin(test)
    expect((await finish(answer())).status).toBe(200)
    const { challengeId, publicKey } = await app.ask('passkeys.beginLogin', {})
    await app.ask('passkeys.finishLogin', { challengeId, credential: passkey.get(publicKey, { signCount: 0 }) })
  })

  it('can be finished in its last millisecond', async () => {
    const { options, answer, finish } = await beginLogin(test)
    test.clock.advance(options.timeout - 1)
    expect((await finish(answer())).status).toBe(200)
  })

  it('by device cannot be finished with a passkey challenge', async () => {
    const { owner, challengeId } = await beginLogin(test)
    const login = await signDeviceLogin(test, await registerDevice(test, owner.token))
    expect((await test.call('mobile.finishLogin', { ...login, sessionId: challengeId })).status).toBe(401)
  })
})
