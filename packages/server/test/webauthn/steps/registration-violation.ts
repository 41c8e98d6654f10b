import type { CreationChanges, CreationOptions } from '@countersign/core/testing'
import type { RegistrationCeremony } from '../../../src/testing/webauthn/ceremony.ts'
import type { Violation } from '../../../src/testing/webauthn/violation.ts'

export type RegistrationViolation = Violation<RegistrationCeremony, CreationOptions, CreationChanges>

/** A registration in which the passkey vouches for itself. */
export const selfAttested: RegistrationCeremony = { changes: { attestation: 'packed' } }
