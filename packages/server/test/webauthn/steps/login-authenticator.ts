import { createVirtualPasskey } from '@countersign/core/testing'
import { responseOf, withCredential, withResponse } from '../../../src/testing/webauthn/ceremony.ts'
import { foreignRelyingParties, nobodyPresent } from '../../../src/testing/webauthn/common-violations.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { LoginViolation } from './login-violation.ts'

const stranger = createVirtualPasskey()

/** Authenticator data and signature: WebAuthn Level 3 §7.2, steps 15 to 21. */
export const authenticatorSteps: readonly Step<LoginViolation>[] = [
  {
    step: 15,
    says: 'the authenticator data is for our relying party id',
    refuses: foreignRelyingParties,
  },
  { step: 16, says: 'the user was present', refuses: nobodyPresent },
  {
    step: 17,
    says: 'the user was verified, when verification is required',
    refuses: [
      {
        name: 'nobody verified',
        ceremony: { begin: { userVerification: 'required' } },
        changes: { flags: { userVerified: false } },
      },
      {
        name: 'user not verified, by email, and a body that requires less than the ceremony',
        ceremony: { byEmail: true, begin: { userVerification: 'required' } },
        changes: { flags: { userVerified: false } },
        sent: (answer) => {
          const less = { userVerification: 'discouraged', requireUserVerification: false, userVerified: true }
          return withCredential({ ...answer, ...less }, less)
        },
      },
    ],
  },
  {
    step: 18,
    says: 'a passkey that cannot be backed up is not backed up',
    refuses: [
      {
        name: 'backed up, and not eligible for it',
        ceremony: { passkey: { backupEligible: false } },
        changes: { flags: { backedUp: true } },
      },
    ],
  },
  {
    step: 19,
    says: 'whether it may be backed up never changes',
    refuses: [
      {
        name: 'eligible, and was not when it was registered',
        ceremony: { passkey: { backupEligible: false } },
        changes: { flags: { backupEligible: true } },
      },
      {
        name: 'not eligible, and was when it was registered',
        ceremony: { passkey: { backedUp: false } },
        changes: { flags: { backupEligible: false } },
      },
    ],
  },
  {
    step: 20,
    says: 'hash the very bytes of the client data',
    refuses: [
      {
        name: 'client data that says the same in other bytes than were signed',
        sent: (answer) => {
          const json = Buffer.from(String(responseOf(answer).clientDataJSON), 'base64url').toString()
          return withResponse(answer, { clientDataJSON: Buffer.from(`${json} `).toString('base64url') })
        },
      },
    ],
  },
  {
    step: 21,
    says: 'the signature is the passkey’s, over authenticator data and hash',
    refuses: [
      { name: 'a signature by another key', changes: { signingKey: stranger.keyPair.privateKey } },
      {
        name: 'a signature over other authenticator data',
        sent: (answer, { answer: another }) =>
          withResponse(answer, { signature: responseOf(another({ flags: { userVerified: false } })).signature }),
      },
      {
        name: 'a signature of another ceremony',
        sent: async (answer, { test, passkey }) => {
          const { publicKey } = await test.ask('passkeys.beginLogin', {})
          return withResponse(answer, { signature: passkey.get(publicKey).response.signature })
        },
      },
      { name: 'a signature with something after it', changes: { signature: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) } },
      { name: 'a signature that is cut short', changes: { signature: (bytes) => bytes.subarray(0, -1) } },
      { name: 'a signature of nothing but zeros', changes: { signature: () => Buffer.from('3006020100020100', 'hex') } },
      { name: 'a signature of 64 zeros', changes: { signature: () => Buffer.alloc(64) } },
      {
        name: 'a signature by another key, with RS256',
        ceremony: { passkey: { algorithm: 'RS256' } },
        changes: { signingKey: createVirtualPasskey({ algorithm: 'RS256' }).keyPair.privateKey },
      },
    ],
  },
]
