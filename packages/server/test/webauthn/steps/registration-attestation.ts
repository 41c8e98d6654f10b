import { type CreationChanges, createVirtualPasskey } from '@countersign/core/testing'
import type { Step } from '../../../src/testing/webauthn/steps.ts'
import { type RegistrationViolation, selfAttested } from './registration-violation.ts'

const stranger = createVirtualPasskey()

/** Violations in the passkey's self attestation. */
const statement = (name: string, changes: CreationChanges): RegistrationViolation => ({ name, ceremony: selfAttested, changes })

/** The attestation: WebAuthn Level 3 §7.1, steps 21 to 24. */
export const attestationSteps: readonly Step<RegistrationViolation>[] = [
  {
    step: 21,
    says: 'the format is one that is known, as it is written',
    refuses: [
      ...['None', 'NONE', 'none ', '', 'packed', 'webauthn'].map((format) => ({
        name: `no attestation as '${format}'`,
        changes: { format },
      })),
      ...['PACKED', 'packed2', 'none', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple', 'compound'].map((format) =>
        statement(`self attestation as '${format}'`, { format }),
      ),
    ],
  },
  {
    step: 22,
    says: 'the statement is a valid one of its format',
    refuses: [
      { name: 'a non-empty statement in the format none', changes: { statement: { sig: new Uint8Array(64) } } },
      statement('a signature by another key', { signingKey: stranger.keyPair.privateKey }),
      statement('no signature', { statement: { sig: undefined } }),
      statement('no algorithm', { statement: { alg: undefined } }),
      statement('an algorithm that is not the key’s', { statement: { alg: -257 } }),
      statement('an empty statement', { statement: { sig: undefined, alg: undefined } }),
      {
        name: 'a signature over other authenticator data',
        ceremony: selfAttested,
        changes: ({ answer }) => {
          let other: Uint8Array = Buffer.alloc(0)
          answer({
            signCount: 1,
            signature: (signature) => {
              other = signature
              return signature
            },
          })
          return { attestation: 'packed', signature: () => other }
        },
      },
    ],
  },
  {
    step: 23,
    says: 'find trust anchors',
    because: 'Nobody but the passkey itself may vouch for it, so that there is nobody to trust: certificates are not read.',
  },
  {
    step: 24,
    says: 'the attestation can be trusted: none and self attestation are, by policy',
    refuses: [
      statement('certificates in an unknown format', { format: 'packed2', statement: { x5c: [new Uint8Array(64)] } }),
      statement('an empty list of certificates', { statement: { x5c: [] } }),
      statement('a statement with the member of an attestation that no longer is', {
        statement: { ecdaaKeyId: new Uint8Array(32) },
      }),
    ],
  },
]
