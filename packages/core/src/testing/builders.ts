/**
 * Builders of whole records for tests. Each record has new ids, and is created at `clockStart`. Any field can be replaced. Records
 * of a user belong to user 1 by default.
 */
export { aConfirmation, anActionType, anApprovalRequest, anEvidence } from './builders/approvals.ts'
export * from './builders/identity.ts'
export { aCustomer, anExpense, aProduct, aProductSchema, aProject, aResource } from './builders/projects.ts'
export { aChallengeText, aPushToken, aSealedField } from './builders/shared.ts'
