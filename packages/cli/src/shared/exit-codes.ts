/** Exit codes. `failed`: the operation was refused or went wrong. `usage`: the command line was not understood. */
export const exitCodes = { success: 0, failed: 1, usage: 2 } as const
