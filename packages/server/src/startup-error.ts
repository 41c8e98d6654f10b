/** The reasons why the service cannot start: a line for each, shown to the operator unchanged. Contains no secret. */
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

/** Returns the storage's own sentence about a failure, from anywhere in its causes. Messages of drivers have secrets. */
export const operatorReason = (error: unknown): string | undefined => {
  for (const at of causesOf(error)) if ('forOperator' in at && typeof at.forOperator === 'string') return at.forOperator
  return undefined
}

/** Returns the code of a system call or driver (`ECONNREFUSED`), from anywhere in the chain of causes. */
export const failureCode = (error: unknown): string => {
  for (const at of causesOf(error)) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{2,64}$/.test(at.code)) return at.code
  }
  return error instanceof Error ? error.name : 'unknown'
}
