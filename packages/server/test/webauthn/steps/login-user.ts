import { createVirtualPasskey } from '@countersign/core/testing'
import { expect } from 'vitest'
import { registerPasskey } from '../../../src/testing/passkeys.ts'
import { signIn } from '../../../src/testing/sign-in.ts'
import {
  type BegunLogin,
  beginRegistration,
  type LoginCeremony,
  withCredential,
  withResponse,
} from '../../../src/testing/webauthn/ceremony.ts'
import { malformedAuthenticatorData } from '../../../src/testing/webauthn/common-violations.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { Refusal } from '../../../src/testing/webauthn/violation.ts'
import type { LoginViolation } from './login-violation.ts'

const malformed = (message: string): Refusal => ({ status: 400, message: `credential.response.${message}` })

const byEmail: LoginCeremony = { byEmail: true }
const stranger = createVirtualPasskey()

/** Returns the valid answer of another passkey to the same ceremony. */
const answerOf = async ({ test, options, challengeId }: BegunLogin, token: string) => {
  const passkey = await registerPasskey(test, token)
  return { challengeId, credential: passkey.get(options) }
}

/** The user and the passkey: WebAuthn Level 3 §7.2, steps 1 to 7. */
export const userSteps: readonly Step<LoginViolation>[] = [
  { step: 1, says: 'write the options', because: 'The server writes them; no answer has a part in it.' },
  { step: 2, says: 'have the browser ask for the credential', because: 'What a browser does is no request yet.' },
  {
    step: 3,
    says: 'take the response, which must be that of an assertion',
    refuses: [
      {
        name: 'the response of an attestation',
        sent: (answer) => withResponse(answer, { authenticatorData: undefined, signature: undefined, attestationObject: 'AA' }),
        refusal: {
          status: 400,
          message:
            'credential.response.authenticatorData: must be authenticator data in base64 or base64url; ' +
            'credential.response.signature: must be a signature in base64 or base64url',
        },
      },
      {
        name: 'a credential of another type',
        sent: (answer) => withCredential(answer, { type: 'password' }),
        refusal: { status: 400, message: 'credential.type: must be public-key' },
      },
    ],
  },
  { step: 4, says: 'take the results of client extensions', because: 'None is asked for; whatever there is, is not read.' },
  {
    step: 5,
    says: 'the credential is one of those that were listed',
    refuses: [
      {
        name: 'a passkey of another user, by the email of this one',
        ceremony: byEmail,
        sent: async (_, begun) => answerOf(begun, (await signIn(begun.test)).token),
      },
      {
        name: 'a passkey that the user registered after the list was made',
        ceremony: byEmail,
        sent: async (_, begun) => {
          begun.test.clock.advance(1)
          return answerOf(begun, begun.owner.token)
        },
      },
      {
        name: 'a passkey where only decoys were listed',
        ceremony: byEmail,
        sent: async (_, { test, passkey }) => {
          const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', { email: 'nobody@example.test' })
          return { challengeId, credential: passkey.get(publicKey) }
        },
        leavesOpen: true,
      },
    ],
  },
  {
    step: 6,
    says: 'the credential is of the user who is named: by the ceremony, or by the user handle',
    refuses: [
      { name: 'no user handle, and no email', changes: { userHandle: null } },
      ...[byEmail, {}].flatMap((ceremony): LoginViolation[] => {
        const how = ceremony === byEmail ? 'by email' : 'without an email'
        return [
          {
            name: `the user handle of another user, ${how}`,
            ceremony,
            changes: async ({ test }) => {
              const other = await beginRegistration(test)
              return { userHandle: other.options.user.id }
            },
          },
          { name: `a user handle of nobody, ${how}`, ceremony, changes: { userHandle: stranger.id } },
          {
            name: `a credential that is not known, ${how}`,
            ceremony,
            sent: (answer) => withCredential(answer, { id: stranger.id, rawId: stranger.id }),
          },
          {
            name: `an id that is not the raw id, ${how}`,
            ceremony,
            sent: (answer) => withCredential(answer, { rawId: stranger.id }),
          },
          {
            name: `a raw id that is not the id, ${how}`,
            ceremony,
            sent: (answer) => withCredential(answer, { id: stranger.id }),
          },
          {
            name: `a credential that was removed since, ${how}`,
            ceremony,
            meanwhile: ({ test, owner, passkey }) =>
              test.ask('passkeys.remove', { credentialId: passkey.id }, { token: owner.token }),
          },
          {
            name: `a user who was disabled since, ${how}`,
            ceremony,
            meanwhile: ({ test, owner }) => test.countersign.users.disable({ email: owner.user.email }),
            // Whoever has proved the passkey learns it.
            refusal: {
              status: 401,
              message: 'Invalid passkey',
              body: { code: 'account_locked', details: { reason: 'disabled', since: expect.any(String) } },
            },
          },
        ]
      }),
      {
        name: 'the id of another user’s passkey',
        sent: async (answer, { test }) => {
          const { id } = await registerPasskey(test, (await signIn(test)).token)
          return withCredential(answer, { id, rawId: id })
        },
      },
    ],
  },
  {
    step: 7,
    says: 'take client data, authenticator data and signature',
    refuses: [
      ...(
        [
          ['clientDataJSON', 'client data'],
          ['authenticatorData', 'authenticator data'],
          ['signature', 'a signature'],
        ] as const
      ).map(
        ([member, what]): LoginViolation => ({
          name: `no ${member}`,
          sent: (answer) => withResponse(answer, { [member]: undefined }),
          refusal: malformed(`${member}: must be ${what} in base64 or base64url`),
        }),
      ),
      {
        name: 'authenticator data that is cut short',
        changes: { authenticatorDataBytes: (bytes) => bytes.subarray(0, -1) },
        refusal: malformedAuthenticatorData,
      },
      {
        name: 'authenticator data with something after it',
        changes: { authenticatorDataBytes: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
        refusal: malformedAuthenticatorData,
      },
    ],
  },
]
