import type { AssertionChanges, RequestOptions } from '@countersign/core/testing'
import type { LoginCeremony } from '../../../src/testing/webauthn/ceremony.ts'
import type { Violation } from '../../../src/testing/webauthn/violation.ts'

export type LoginViolation = Violation<LoginCeremony, RequestOptions, AssertionChanges>
