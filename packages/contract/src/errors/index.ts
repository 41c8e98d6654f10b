import { approvalErrors } from './approvals.ts'
import { type ErrorDeclaration, statusOfErrorKind } from './error-description.ts'
import { identityErrors } from './identity.ts'
import { projectErrors } from './projects.ts'
import { sharedErrors } from './shared.ts'

const declarations = { ...sharedErrors, ...identityErrors, ...approvalErrors, ...projectErrors }

type Described<D extends ErrorDeclaration> = D & {
  readonly place: D extends { readonly place: infer P } ? P : 'authentication'
  readonly status: (typeof statusOfErrorKind)[D['kind']]
}

/** Every error code: its kind and status, when it happens and what to do. A code never changes its meaning. */
export const errorDescriptions = Object.fromEntries(
  Object.entries<ErrorDeclaration>(declarations).map(([code, one]) => [
    code,
    { place: 'authentication', ...one, status: statusOfErrorKind[one.kind] },
  ]),
) as { readonly [Code in keyof typeof declarations]: Described<(typeof declarations)[Code]> }

/** The stable name of one error. Programs compare codes, never messages. */
export type ErrorCode = keyof typeof errorDescriptions

/** A code that the authentication service's error body can have. */
export type AuthenticationErrorCode = {
  [Code in ErrorCode]: (typeof errorDescriptions)[Code]['place'] extends 'authentication' ? Code : never
}[ErrorCode]

/** The codes that the authentication service's error body can have. */
export const authenticationErrorCodes = (Object.keys(errorDescriptions) as ErrorCode[]).filter(
  (code): code is AuthenticationErrorCode => errorDescriptions[code].place === 'authentication',
)

export { type ErrorDescription, type ErrorPlace, statusOfErrorKind } from './error-description.ts'
