export { withoutAbsentNulls } from './absent-nulls.ts'
export type * from './action-types.ts'
export { codeOfStatus, type ProjectErrorCode } from './error-codes.ts'
export { type ClientErrorCode, clientErrors } from './errors/client.ts'
export * from './errors/index.ts'
export { projectServiceErrors } from './errors/project-service.ts'
export { limits } from './limits.ts'
export * from './operations/index.ts'
export type { ActionInput, ActionOperation, ActionTypeName, PayloadOf } from './own-actions.ts'
export { type BodyLayout, type RequestLayout, requestLayoutOf } from './request-layout.ts'
export {
  type Action,
  actionPayloads,
  issuesOfAction,
  matchNumberTakes,
  type RegisteredTypeName,
} from './schemas/approvals/confirmations.ts'
export { type LiveEvent, type LiveStatus, liveEventTypes } from './schemas/approvals/events.ts'
export type { Statement } from './schemas/approvals/statement.ts'
export { EXTENDED_HEADER } from './schemas/extended.ts'
export { characterCount, hostChosenName, isStorable } from './schemas/fields.ts'
export { hasPasswordLength, hostSignIn, namedUser } from './schemas/identity/account.ts'
export { errorBody, serviceName, tokenRefusal } from './schemas/identity/internal.ts'
export { type ExpenseLine, importLines, type ResourceLine } from './schemas/projects/imports.ts'
export { projectErrorBody } from './schemas/projects/projects.ts'
export { type Checked, type Input, type Output, shapes } from './shapes.ts'
export { JsonText, type ShowOutput, shownOutput } from './shown-output.ts'
export * from './vocabulary.ts'
