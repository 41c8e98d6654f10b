/** The code of each status in the error bodies of the project service. A gate has the status 403 and a code of its own. */
export const codeOfStatus = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
} as const

/** A code in the error bodies of the project service. */
export type ProjectErrorCode = (typeof codeOfStatus)[keyof typeof codeOfStatus] | 'CONFIRMATION_REQUIRED'
