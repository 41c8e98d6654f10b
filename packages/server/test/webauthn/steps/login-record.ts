import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { registerDevice } from '../../../src/testing/sign-in.ts'
import { beginRegistration } from '../../../src/testing/webauthn/ceremony.ts'
import { brokenExtensions, malformedAuthenticatorData } from '../../../src/testing/webauthn/common-violations.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { LoginViolation } from './login-violation.ts'

/** Signature counter and stored state: WebAuthn Level 3 §7.2, steps 22 to 25. */
export const recordSteps: readonly Step<LoginViolation>[] = [
  {
    step: 22,
    says: 'the count has risen, unless it is 0 and always was',
    refuses: [0, 1, 8, 9].map((signCount) => ({
      name: `a count of ${signCount} after 9`,
      ceremony: { created: { signCount: 9 }, changes: { signCount: 10 } },
      changes: { signCount },
    })),
  },
  {
    step: 23,
    says: 'process the outputs of extensions: unrequested outputs are ignored',
    refuses: brokenExtensions(malformedAuthenticatorData),
  },
  {
    step: 24,
    says: 'update the record',
    refuses: [
      {
        name: 'a count that another login has brought since',
        ceremony: { changes: { signCount: 5 } },
        meanwhile: async ({ test, passkey }) => {
          const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', {})
          await test.ask('passkeys.finishLogin', { challengeId, credential: passkey.get(publicKey, { signCount: 5 }) })
        },
      },
    ],
  },
  {
    step: 25,
    says: 'continue, once',
    refuses: [
      { name: 'a ceremony that nobody began', sent: (answer) => ({ ...answer, challengeId: randomUUID() }), leavesOpen: true },
      {
        name: 'a ceremony that was finished',
        meanwhile: async ({ answer, finish }) => expect((await finish(answer())).status).toBe(200),
      },
      {
        name: 'a ceremony that failed',
        meanwhile: async ({ answer, finish }) =>
          expect((await finish(answer({ flags: { userPresent: false } }))).status).toBe(401),
      },
      {
        name: 'an expired ceremony',
        meanwhile: async ({ test, options }) => test.clock.advance(options.timeout),
      },
      {
        name: 'a registration of the user, with its challenge',
        sent: async (_, { test, owner, passkey, options }) => {
          const registration = await beginRegistration(test, {}, owner)
          const { challengeId } = registration
          return { challengeId, credential: passkey.get({ ...options, challenge: registration.options.challenge }) }
        },
        leavesOpen: true,
      },
      {
        name: 'a login by a device, with its challenge',
        sent: async (_, { test, owner, passkey, options }) => {
          const device = await registerDevice(test, owner.token)
          const { deviceFingerprint } = device.device
          const { sessionId, challenge } = await test.ask('mobile.beginLogin', { deviceFingerprint })
          const inBase64Url = Buffer.from(challenge, 'base64').toString('base64url')
          return { challengeId: sessionId, credential: passkey.get({ ...options, challenge: inBase64Url }) }
        },
        leavesOpen: true,
      },
    ],
  },
]
