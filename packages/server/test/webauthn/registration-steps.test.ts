import { describe, expect, it } from 'vitest'
import { openBeforeAll } from '../../src/testing/open-before-all.ts'
import type { TestApp } from '../../src/testing/test-app.ts'
import { openSqlite } from '../../src/testing/test-storages.ts'
import { beginRegistration, type RegistrationCeremony } from '../../src/testing/webauthn/ceremony.ts'
import { expectNoGaps, type Step, stepsToCases } from '../../src/testing/webauthn/steps.ts'
import { expectRefusal } from '../../src/testing/webauthn/violation.ts'
import { attestationSteps } from './steps/registration-attestation.ts'
import { authenticatorSteps } from './steps/registration-authenticator.ts'
import { clientSteps } from './steps/registration-client.ts'
import { recordSteps } from './steps/registration-record.ts'
import { type RegistrationViolation, selfAttested } from './steps/registration-violation.ts'

/*
 * WebAuthn Level 3 §7.1, step by step: requests that violate exactly that step, or the reason why there are none. The same
 * ceremony without the violation succeeds.
 */

const steps: readonly Step<RegistrationViolation>[] = [...clientSteps, ...authenticatorSteps, ...attestationSteps, ...recordSteps]

it('every step of WebAuthn Level 3 §7.1 has violations, or a reason why there are none', () => {
  expectNoGaps(steps, 29)
})

describe('a registration', () => {
  let test: TestApp
  openBeforeAll(openSqlite, (app) => {
    test = app
  })

  it.each(stepsToCases(steps))('is refused at step $step ($says): $violation.name', async ({ violation }) => {
    await expectRefusal(test, 'passkeys.finishRegistration', beginRegistration, violation)
  })

  /** Unusual but valid inputs that a step must accept. */
  const accepted: readonly { readonly name: string; readonly ceremony: RegistrationCeremony }[] = [
    {
      name: 'client data with a byte order mark (step 5)',
      ceremony: { changes: { clientDataBytes: (bytes) => Buffer.from(`\uFEFF${Buffer.from(bytes)}`) } },
    },
    { name: 'client data without crossOrigin (step 10)', ceremony: { changes: { clientData: { crossOrigin: undefined } } } },
    {
      name: 'client data with members of the future (step 6)',
      ceremony: { changes: { clientData: { futureMember: { a: [1] } } } },
    },
    {
      name: 'a user who is not verified, when verification is only preferred (step 16)',
      ceremony: { changes: { flags: { userVerified: false } } },
    },
    { name: 'a passkey that is eligible for backup and not backed up (step 17)', ceremony: { passkey: { backedUp: false } } },
    { name: 'a key of RS256 (step 20)', ceremony: { passkey: { algorithm: 'RS256' }, changes: { attestation: 'packed' } } },
    { name: 'self attestation (step 24)', ceremony: selfAttested },
    {
      name: 'certificates that nobody asked for (step 24)',
      ceremony: { changes: { attestation: 'packed', statement: { x5c: [new Uint8Array(64)] } } },
    },
    { name: 'an id of 1023 bytes (step 25)', ceremony: { passkey: { credentialId: new Uint8Array(1023).fill(8) } } },
    {
      name: 'extensions that were not requested (step 28)',
      ceremony: { changes: { extensions: new Map([['credProtect', 2]]) } },
    },
  ]
  it.each(accepted)('is not refused for $name', async ({ ceremony }) => {
    const { answer, finish } = await beginRegistration(test, ceremony)
    const { status, text } = await finish(answer())
    expect([status, text]).toEqual([200, text])
  })

  it('can be finished in its last millisecond', async () => {
    const { options, answer, finish } = await beginRegistration(test)
    test.clock.advance(options.timeout - 1)
    expect((await finish(answer())).status).toBe(200)
  })
})
