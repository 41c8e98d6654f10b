export { requireAssertionForm, requireCreationForm } from './credential-form.ts'
export { decoyPasskey } from './decoy-passkey.ts'
export { verifyAssertion } from './verify-assertion.ts'
export { verifyCreation } from './verify-creation.ts'
