/**
 * Why the service cannot start, or a command cannot open its database: one clear line for each thing wrong, to be shown
 * to the operator as it is. Never holds a secret.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly lines: readonly string[]

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options)
    this.lines = lines
  }
}

/** The code that a system call or driver gave a failure (`ECONNREFUSED`, `SQLITE_CANTOPEN`), from however deep it comes. */
export const failureCode = (error: unknown): string => {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{2,64}$/.test(at.code)) return at.code
  }
  return error instanceof Error ? error.name : 'unknown'
}
