/** The place where a program sees an error code. */
export type ErrorPlace =
  /** The member `code` of the authentication service's error body. */
  | 'authentication'
  /** An error of the core, behind an error body of the project service. That body has a code by status. */
  | 'projects'
  /** An error of the core that no HTTP request causes: a host or an administrator on the command line meets it. */
  | 'host'

/** One error code, for programs and for the page `docs/errors.md`. */
export interface ErrorDescription {
  /** The HTTP status. For a code of `host`, the status of its kind. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 417 | 429 | 431 | 500 | 503
  readonly place: ErrorPlace
  /** When the error happens. */
  readonly when: string
  /** The remedy, in one or two sentences. */
  readonly remedy: string
}
