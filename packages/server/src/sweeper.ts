import type { Countersign, Logger } from '@countersign/core'
import { describeError } from './logging/error-fields.ts'

const EVERY = 60_000

/** Deletes expired rows every minute. A failed run is logged. Returns a function that stops the sweeper, and waits for a run. */
export const startSweeper = ({ sweep }: Pick<Countersign, 'sweep'>, logger: Logger, every = EVERY): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    try {
      const byKind = await sweep()
      const rows = Object.values(byKind).reduce((sum, count) => sum + count, 0)
      if (rows > 0) logger.info('swept', { rows, ...byKind })
    } catch (error) {
      logger.warn('sweep_failed', describeError(error))
    } finally {
      running = undefined
    }
  }
  const timer = setInterval(() => {
    running ??= run()
  }, every)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
