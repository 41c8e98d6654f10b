import type { CreationChanges } from '@countersign/core/testing'
import { beginRegistration, responseOf, withCredential, withResponse } from '../../../src/testing/webauthn/ceremony.ts'
import {
  foreignFrames,
  foreignOrigins,
  respelledChallenges,
  topOrigins,
  undecodableClientData,
  unparsableClientData,
  wrongTypes,
} from '../../../src/testing/webauthn/common-violations.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { Refusal } from '../../../src/testing/webauthn/violation.ts'
import { type RegistrationViolation, selfAttested } from './registration-violation.ts'

const malformed = (message: string): Refusal => ({ status: 400, message: `credential.${message}` })

/** Returns client data with the challenge of another ceremony. */
const challengeOf = async (begun: Promise<{ readonly options: { readonly challenge: string } }>): Promise<CreationChanges> => ({
  clientData: { challenge: (await begun).options.challenge },
})

/** Client data: WebAuthn Level 3 §7.1, steps 1 to 12. */
export const clientSteps: readonly Step<RegistrationViolation>[] = [
  { step: 1, says: 'write the options', because: 'The server writes them; no answer has a part in it.' },
  { step: 2, says: 'have the browser create the credential', because: 'What a browser does is no request yet.' },
  {
    step: 3,
    says: 'take the response, which must be that of an attestation',
    refuses: [
      {
        name: 'the response of an assertion',
        sent: (answer) =>
          withResponse(answer, { attestationObject: undefined, authenticatorData: 'AA', signature: 'AA', userHandle: null }),
        refusal: malformed('response.attestationObject: must be an attestation object in base64 or base64url'),
      },
      {
        name: 'a credential of another type',
        sent: (answer) => withCredential(answer, { type: 'password' }),
        refusal: malformed('type: must be public-key'),
      },
    ],
  },
  {
    step: 4,
    says: 'take the results of client extensions',
    refuses: [
      {
        name: 'results that are not an object',
        sent: (answer) => withCredential(answer, { clientExtensionResults: [] }),
        refusal: malformed('clientExtensionResults: must be an object'),
      },
    ],
  },
  {
    step: 5,
    says: 'decode the client data as UTF-8',
    refuses: undecodableClientData,
  },
  {
    step: 6,
    says: 'parse the client data as JSON',
    refuses: unparsableClientData,
  },
  {
    step: 7,
    says: 'the type is webauthn.create',
    refuses: wrongTypes('webauthn.create', 'webauthn.get'),
  },
  {
    step: 8,
    says: 'the challenge is the one that was given',
    refuses: [
      {
        name: 'the challenge of another registration of the user',
        changes: ({ test, owner }) => challengeOf(beginRegistration(test, {}, owner)),
      },
      { name: 'the challenge of a registration of another user', changes: ({ test }) => challengeOf(beginRegistration(test)) },
      {
        name: 'the challenge of a login',
        changes: async ({ test, owner }) => {
          const { publicKey } = await test.ask('passkeys.beginLogin', { email: owner.user.email })
          return { clientData: { challenge: publicKey.challenge } }
        },
      },
      ...respelledChallenges,
    ],
  },
  {
    step: 9,
    says: 'the origin is one of ours',
    refuses: foreignOrigins,
  },
  {
    step: 10,
    says: 'no frame of another origin is expected: crossOrigin is not true',
    refuses: foreignFrames,
  },
  {
    step: 11,
    says: 'no frame is expected: there is no topOrigin',
    refuses: topOrigins,
  },
  {
    step: 12,
    says: 'hash the very bytes of the client data',
    refuses: [
      {
        name: 'client data that says the same in other bytes than were attested',
        ceremony: selfAttested,
        sent: (answer) => {
          const json = Buffer.from(String(responseOf(answer).clientDataJSON), 'base64url').toString()
          return withResponse(answer, { clientDataJSON: Buffer.from(`${json} `).toString('base64url') })
        },
      },
    ],
  },
]
