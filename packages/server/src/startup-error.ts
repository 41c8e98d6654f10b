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

const causesOf = (error: unknown, depth = 5): readonly Error[] =>
  error instanceof Error && depth > 0 ? [error, ...causesOf(error.cause, depth - 1)] : []

/**
 * What a storage says of a failure in a sentence of its own, made to be told to the operator (`forOperator`), from however deep
 * it comes. Messages are not told: drivers put into theirs what they were given.
 */
export const toldReason = (error: unknown): string | undefined => {
  for (const at of causesOf(error)) if ('forOperator' in at && typeof at.forOperator === 'string') return at.forOperator
  return undefined
}

/** The code that a system call or driver gave a failure (`ECONNREFUSED`, `SQLITE_CANTOPEN`), from however deep it comes. */
export const failureCode = (error: unknown): string => {
  for (const at of causesOf(error)) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{2,64}$/.test(at.code)) return at.code
  }
  return error instanceof Error ? error.name : 'unknown'
}

/** Whether the role of a PostgreSQL database lacks a right (SQLSTATE 42501): an operator's mistake, which says what to do. */
export const lacksRight = (error: unknown): boolean => failureCode(error) === '42501'
