import type { CreationChanges, CreationOptions } from '@countersign/core/testing'
import type { RegistrationCeremony } from '../../../src/testing/webauthn/ceremony.ts'
import type { Violation } from '../../../src/testing/webauthn/violation.ts'

export type RegistrationViolation = Violation<RegistrationCeremony, CreationOptions, CreationChanges>

/** A registration with a self attestation. */
export const selfAttested: RegistrationCeremony = { changes: { attestation: 'packed' } }
