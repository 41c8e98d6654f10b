import type { errors } from '@countersign/core'

/**
 * The exit codes of all commands. `failed`: the operation was refused or went wrong. `usage`: the command line was not
 * understood.
 */
export const exitCodes = { success: 0, failed: 1, usage: 2 } as const

/** The exit code for each kind of error of the core. A new kind does not compile without an exit code. */
export const exitCodeOf = {
  invalid: exitCodes.failed,
  unauthenticated: exitCodes.failed,
  forbidden: exitCodes.failed,
  not_found: exitCodes.failed,
  conflict: exitCodes.failed,
  gone: exitCodes.failed,
  rate_limited: exitCodes.failed,
  unavailable: exitCodes.failed,
} as const satisfies Record<errors.ErrorKind, number>
