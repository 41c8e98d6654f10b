import type { Logger, StorageObserver } from '@countersign/core'
import { failureCode } from '../startup-error.ts'

/** The most lines in a second. A database that hangs makes every statement slow, and one line says that as well as thousands. */
const LINES_PER_SECOND = 10

/** Logs statements that took `threshold` milliseconds or more, without their values, and how many lines were left out. */
export const slowStatementLog = (logger: Logger, threshold: number): StorageObserver => {
  let second = 0
  let lines = 0
  let leftOut = 0
  return {
    statement: ({ text, milliseconds, error }) => {
      if (milliseconds < threshold) return
      const now = Math.floor(performance.now() / 1000)
      if (now !== second) {
        second = now
        lines = 0
      }
      lines += 1
      if (lines > LINES_PER_SECOND) {
        leftOut += 1
        return
      }
      logger.warn('slow_statement', {
        statement: text,
        durationMs: Math.round(milliseconds),
        ...(error !== undefined && { code: failureCode(error) }),
        ...(leftOut > 0 && { leftOut }),
      })
      leftOut = 0
    },
  }
}
