import { beginRegistration } from '../../../src/testing/webauthn/ceremony.ts'
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
import type { LoginViolation } from './login-violation.ts'

/** Client data: WebAuthn Level 3 §7.2, steps 8 to 14. */
export const clientSteps: readonly Step<LoginViolation>[] = [
  {
    step: 8,
    says: 'decode the client data as UTF-8',
    refuses: undecodableClientData,
  },
  {
    step: 9,
    says: 'parse the client data as JSON',
    refuses: unparsableClientData,
  },
  {
    step: 10,
    says: 'the type is webauthn.get',
    refuses: wrongTypes('webauthn.get', 'webauthn.create'),
  },
  {
    step: 11,
    says: 'the challenge is the one that was given',
    refuses: [
      {
        name: 'the challenge of another login',
        changes: async ({ test }) => {
          const { publicKey } = await test.ask('passkeys.beginLogin', {})
          return { clientData: { challenge: publicKey.challenge } }
        },
      },
      {
        name: 'the challenge of a registration of the user',
        changes: async ({ test, owner }) => {
          const { options } = await beginRegistration(test, {}, owner)
          return { clientData: { challenge: options.challenge } }
        },
      },
      ...respelledChallenges,
    ],
  },
  {
    step: 12,
    says: 'the origin is one of ours',
    refuses: foreignOrigins,
  },
  {
    step: 13,
    says: 'no frame of another origin is expected: crossOrigin is not true',
    refuses: foreignFrames,
  },
  {
    step: 14,
    says: 'no frame is expected: there is no topOrigin',
    refuses: topOrigins,
  },
]
