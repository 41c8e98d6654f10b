import type { CountersignIdentity, Logger } from '@countersign/core'

/** Checks the database, its schema, the clock and the keys, and logs each failed check. */
export const logFailedChecks = async ({ check }: Pick<CountersignIdentity, 'check'>, logger: Logger): Promise<void> => {
  for (const { check: name, status, detail } of await check()) {
    if (status === 'failed') logger.error('check_failed', { check: name, detail })
  }
}
