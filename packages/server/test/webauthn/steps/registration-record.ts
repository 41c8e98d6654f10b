import { randomUUID } from 'node:crypto'
import { anAnnouncement, createTestDevice } from '@countersign/core/testing'
import { expect } from 'vitest'
import { signIn } from '../../../src/testing/sign-in.ts'
import { type BegunRegistration, type Finish, withCredential } from '../../../src/testing/webauthn/ceremony.ts'
import { brokenExtensions, malformedAttestationObject } from '../../../src/testing/webauthn/common-violations.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { Refusal } from '../../../src/testing/webauthn/violation.ts'
import type { RegistrationViolation } from './registration-violation.ts'

const gone: Refusal = { status: 410, message: 'Passkey registration expired or already used' }
const unknown: Refusal = { status: 404, message: 'Passkey registration not found' }
const known: Refusal = { status: 409, message: 'Passkey already registered' }
/** Changes the length of the credential id in every place. */
const withId = (name: string, bytes: Uint8Array): RegistrationViolation => {
  const id = Buffer.from(bytes).toString('base64url')
  const message = ['id', 'rawId'].map((member) => `credential.${member}: must be a credential id in base64 or base64url`)
  return {
    name,
    changes: { attestedId: bytes },
    sent: (answer) => withCredential(answer, { id, rawId: id }),
    refusal: { status: 400, message: message.join('; ') },
  }
}

/** Sends the passkey's answer to a challenge of another kind. */
const answerTo = ({ passkey, options }: BegunRegistration, challengeId: string, challenge: string): Finish => ({
  challengeId,
  credential: passkey.create({ ...options, challenge }),
})

/** Registers the same passkey for its user before the ceremony is finished. */
const registerBefore = async ({ test, passkey, owner: { token } }: BegunRegistration): Promise<void> => {
  const { challengeId, publicKey } = await test.ask('passkeys.beginRegistration', {}, { token })
  await test.ask('passkeys.finishRegistration', { challengeId, credential: passkey.create(publicKey) }, { token })
}

/** Storing the passkey exactly once: WebAuthn Level 3 §7.1, steps 25 to 29. */
export const recordSteps: readonly Step<RegistrationViolation>[] = [
  {
    step: 25,
    says: 'the credential id has at most 1023 bytes',
    refuses: [withId('an id of 1024 bytes', new Uint8Array(1024).fill(7)), withId('an empty id', new Uint8Array())],
  },
  {
    step: 26,
    // The standard recommends (SHOULD) to refuse an id of any user. ADR 0007 explains why only the user's own ids are refused.
    says: 'the credential id is not yet registered for the user',
    refuses: [{ name: 'an id of the user’s own', meanwhile: registerBefore, refusal: known }],
  },
  { step: 27, says: 'make the record', because: 'What it holds is the answer’s, which the steps before have accepted.' },
  {
    step: 28,
    says: 'process the outputs of extensions: unrequested outputs are ignored',
    refuses: brokenExtensions(malformedAttestationObject),
  },
  {
    step: 29,
    says: 'store the record for the user of the options, once',
    refuses: [
      {
        name: 'a ceremony of another user’s',
        as: async ({ test }) => (await signIn(test)).token,
        refusal: unknown,
        leavesOpen: true,
      },
      {
        name: 'a ceremony that nobody began',
        sent: (answer) => ({ ...answer, challengeId: randomUUID() }),
        refusal: unknown,
        leavesOpen: true,
      },
      {
        name: 'a ceremony that was finished',
        meanwhile: async ({ answer, finish }) => expect((await finish(answer())).status).toBe(200),
        refusal: gone,
      },
      {
        name: 'a ceremony that failed',
        meanwhile: async ({ answer, finish }) =>
          expect((await finish(answer({ clientData: { type: 'webauthn.get' } }))).status).toBe(401),
        refusal: gone,
      },
      {
        name: 'an expired ceremony',
        meanwhile: async ({ test, options }) => test.clock.advance(options.timeout),
        refusal: gone,
      },
      {
        name: 'a login, with its challenge',
        sent: async (_, begun) => {
          const { challengeId, publicKey } = await begun.test.ask('passkeys.beginLogin', { email: begun.owner.user.email })
          return answerTo(begun, challengeId, publicKey.challenge)
        },
        refusal: unknown,
        leavesOpen: true,
      },
      {
        name: 'the registration of a device, with its challenge',
        sent: async (_, begun) => {
          const announcement = anAnnouncement(createTestDevice('ES256'))
          const { token } = begun.owner
          const { sessionId, challenge } = await begun.test.ask('devices.beginRegistration', announcement, { token })
          return answerTo(begun, sessionId, Buffer.from(challenge, 'base64').toString('base64url'))
        },
        refusal: unknown,
        leavesOpen: true,
      },
      {
        name: 'a user who was disabled',
        meanwhile: ({ test, owner }) => test.countersign.users.disable({ email: owner.user.email }),
        refusal: { status: 401, message: 'Invalid or expired token' },
      },
      {
        name: 'a session that was ended',
        meanwhile: ({ test, owner }) =>
          test.ask('auth.logout', { refreshToken: owner.tokens.refreshToken }, { token: owner.token }),
        refusal: { status: 401, message: 'Invalid or expired token' },
      },
    ],
  },
]
