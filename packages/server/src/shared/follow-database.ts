import { type Clock, type DatabaseClock, databaseClock, type Logger, type MigratedStorage, systemClock } from '@countersign/core'

/** Milliseconds between two comparisons. */
const EVERY = 60_000
/** Milliseconds between two looks at the machine's clock. */
const LOOK_EVERY = 5000
/** Milliseconds by which the machine's clock and the steady clock may drift apart between two comparisons. */
const LARGEST_STEP = 500

/** A moment by the machine's clock, which can be set, and by a clock that only runs. */
interface Moment {
  readonly wall: number
  readonly steady: number
}

/** Returns the machine's clock, corrected by a database with a clock of its own each minute, and soon after somebody set it. */
export const followDatabaseClock = async (
  { time }: Pick<MigratedStorage, 'time'>,
  { logger, machine = systemClock }: { readonly logger: Logger; readonly machine?: Clock | undefined },
): Promise<{ readonly clock: Clock; readonly stop: () => void }> => {
  if (time === undefined) return { clock: machine, stop: () => {} }
  const clock: DatabaseClock = databaseClock({ database: { time }, machine, logger })
  const thisMoment = (): Moment => ({ wall: machine.now(), steady: performance.now() })
  await clock.compare()
  let comparedAt = thisMoment()
  const timer = setInterval(() => {
    const { wall, steady } = thisMoment()
    const elapsed = steady - comparedAt.steady
    const step = Math.abs(wall - comparedAt.wall - elapsed)
    if (elapsed < EVERY && step < LARGEST_STEP) return
    comparedAt = { wall, steady }
    void clock.compare()
  }, LOOK_EVERY)
  timer.unref()
  return { clock, stop: () => clearInterval(timer) }
}
