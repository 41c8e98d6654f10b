import type { ProjectErrorCode } from '../error-codes.ts'
import type { ErrorDeclaration } from './error-description.ts'
import { sharedErrors } from './shared.ts'

/** The meaning of each code in error bodies of the project service. `codeOfStatus` has their statuses. */
export const projectServiceErrors: Readonly<Record<ProjectErrorCode, Pick<ErrorDeclaration, 'when' | 'remedy'>>> = {
  VALIDATION_ERROR: { when: 'A field of the request is missing or wrong.', remedy: 'Correct the fields that `details` names.' },
  UNAUTHORIZED: { when: 'The request carries no valid access token.', remedy: 'Renew the access token, or log in.' },
  FORBIDDEN: { when: 'The caller lacks a permission for projects.', remedy: 'Ask an administrator for the permission.' },
  CONFIRMATION_REQUIRED: { when: 'A gate asks for an approval, and the call has none.', remedy: 'As in the list above.' },
  NOT_FOUND: {
    when: 'The path, the project or the product schema does not exist.',
    remedy: 'Check the path and the code in the path.',
  },
  METHOD_NOT_ALLOWED: sharedErrors.method_not_allowed,
  CONFLICT: sharedErrors.conflict,
  GONE: sharedErrors.gone,
  PAYLOAD_TOO_LARGE: { when: 'The body is larger than the operation takes.', remedy: 'Send less.' },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not `application/json`.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  RATE_LIMITED: sharedErrors.rate_limited,
  INTERNAL_ERROR: { when: 'The service has a fault.', remedy: 'Report the `X-Request-Id`.' },
  UNAVAILABLE: {
    when: 'The database cannot be reached, or the service has too much to do.',
    remedy: 'Try again after the seconds of `Retry-After`.',
  },
}
