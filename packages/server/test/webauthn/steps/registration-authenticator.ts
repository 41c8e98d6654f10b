import { withCredential } from '../../../src/testing/webauthn/ceremony.ts'
import {
  foreignRelyingParties,
  malformedAttestationObject,
  nobodyPresent,
} from '../../../src/testing/webauthn/common-violations.ts'
import { foreignKeys, unfitKeys } from '../../../src/testing/webauthn/foreign-keys.ts'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import type { RegistrationViolation } from './registration-violation.ts'

/** Authenticator data: WebAuthn Level 3 §7.1, steps 13 to 20. */
export const authenticatorSteps: readonly Step<RegistrationViolation>[] = [
  {
    step: 13,
    says: 'decode format, authenticator data and statement from CBOR',
    refuses: [
      {
        name: 'something else than CBOR',
        changes: { attestationObjectBytes: () => Buffer.from('{"fmt":"none"}') },
        refusal: malformedAttestationObject,
      },
      {
        name: 'CBOR that is cut short',
        changes: { attestationObjectBytes: (bytes) => bytes.subarray(0, -1) },
        refusal: malformedAttestationObject,
      },
      {
        name: 'CBOR with something after it',
        changes: { attestationObjectBytes: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
        refusal: malformedAttestationObject,
      },
      {
        name: 'authenticator data that is cut short',
        changes: { authenticatorDataBytes: (bytes) => bytes.subarray(0, -1) },
        refusal: malformedAttestationObject,
      },
      {
        name: 'authenticator data with something after it',
        changes: { authenticatorDataBytes: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
        refusal: malformedAttestationObject,
      },
      { name: 'authenticator data that denies the credential in it', changes: { flags: { attestedCredential: false } } },
      {
        name: 'authenticator data without a credential',
        changes: { flags: { attestedCredential: false }, authenticatorDataBytes: (bytes) => bytes.subarray(0, 37) },
        refusal: malformedAttestationObject,
      },
      { name: 'the id of another credential in the authenticator data', changes: { attestedId: Buffer.alloc(32, 1) } },
    ],
  },
  {
    step: 14,
    says: 'the authenticator data is for our relying party id',
    refuses: foreignRelyingParties,
  },
  { step: 15, says: 'the user was present', refuses: nobodyPresent },
  {
    step: 16,
    says: 'the user was verified, when verification is required',
    refuses: [
      {
        name: 'nobody verified',
        ceremony: { begin: { userVerification: 'required' } },
        changes: { flags: { userVerified: false } },
      },
      {
        name: 'user not verified, and a body that requires less than the ceremony',
        ceremony: { begin: { authenticatorSelection: { userVerification: 'required' } } },
        changes: { flags: { userVerified: false } },
        sent: (answer) => {
          const less = { userVerification: 'discouraged', requireUserVerification: false, userVerified: true }
          return withCredential({ ...answer, ...less, authenticatorSelection: less }, less)
        },
      },
    ],
  },
  {
    step: 17,
    says: 'a passkey that cannot be backed up is not backed up',
    refuses: [
      {
        name: 'backed up, and not eligible for it',
        ceremony: { passkey: { backupEligible: false } },
        changes: { flags: { backedUp: true } },
      },
    ],
  },
  { step: 18, says: 'judge whether it may be backed up', because: 'There is no policy about it: both are accepted and kept.' },
  { step: 19, says: 'judge whether it is backed up', because: 'There is no policy about it: both are accepted and kept.' },
  {
    step: 20,
    says: 'the algorithm of the key was offered',
    refuses: [
      ...Object.entries(foreignKeys).map(([name, key]) => ({ name: `a key of ${name}`, changes: () => key() })),
      ...Object.entries(unfitKeys).map(([name, key]) => ({ name: `a key of ${name}`, changes: () => key() })),
      { name: 'a key that names no algorithm', changes: { coseKey: { 3: undefined } } },
      { name: 'a key with a member that is not of its kind', changes: { coseKey: { 4: 1 } } },
      { name: 'a key with its private part', changes: { coseKey: { [-4]: new Uint8Array(32) } } },
    ],
  },
]
