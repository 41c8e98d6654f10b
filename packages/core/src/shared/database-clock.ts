import { type Clock, type Instant, type Milliseconds, seconds, systemClock } from './clock.ts'
import { reasonOfProbe } from './health/run-probe.ts'
import { type Logger, silentLogger } from './logger.ts'

/** A greater difference is logged, and reported as a fault of a clock. */
export const WORST_CLOCK_OFFSET = seconds(1)
const SAMPLES = 5

/** The machine's clock, corrected by its difference from the clock of a database. */
export interface DatabaseClock extends Clock {
  offset(): Milliseconds | undefined
  /** Compares the two clocks, and corrects this clock. Keeps the last correction if the database does not answer. Never rejects. */
  compare(): Promise<void>
}

/** The parts of a `DatabaseClock`. */
export interface DatabaseClockConfig {
  /** The database: `Storage.time`. */
  readonly database: { time(): Promise<Instant> }
  /** The clock of the machine; `systemClock` by default. */
  readonly machine?: Clock | undefined
  readonly logger?: Logger | undefined
}

interface Sample {
  /** By how much the database's clock is ahead. */
  readonly offset: Milliseconds
  readonly roundTrip: Milliseconds
}

/** Measures several times. Returns the sample with the shortest round trip, because it has the smallest error. */
const measure = async ({ database, machine }: { database: DatabaseClockConfig['database']; machine: Clock }): Promise<Sample> => {
  let best: Sample | undefined
  for (let count = 0; count < SAMPLES; count += 1) {
    const before = machine.now()
    const time = await database.time()
    const after = machine.now()
    const roundTrip = Math.abs(after - before)
    if (best === undefined || roundTrip < best.roundTrip) best = { offset: time - (before + after) / 2, roundTrip }
  }
  return best as Sample
}

/**
 * Makes a clock that follows the clock of a database, so that all its servers use the same time; the machine's time until the first
 * comparison. Logs once when the difference exceeds a second, and when that is over. A difference within half a round trip, the
 * error of a measurement, changes nothing.
 */
export const databaseClock = ({ database, machine = systemClock, logger = silentLogger }: DatabaseClockConfig): DatabaseClock => {
  let offset: Milliseconds | undefined
  let isFar = false
  let isCompared = true
  let running: Promise<void> | undefined

  const correct = (sample: Sample): void => {
    const known = offset ?? 0
    offset = Math.abs(sample.offset - known) > sample.roundTrip / 2 ? Math.round(sample.offset) : known
    const wasFar = isFar
    isFar = Math.abs(offset) > WORST_CLOCK_OFFSET
    if (isFar && !wasFar) logger.warn('clock_differs', { databaseAheadMs: offset })
    if (!isFar && wasFar) logger.info('clock_agrees', { databaseAheadMs: offset })
  }

  const compare = async (): Promise<void> => {
    try {
      correct(await measure({ database, machine }))
      isCompared = true
    } catch (error) {
      if (isCompared) logger.warn('clock_not_compared', { reason: reasonOfProbe(error) })
      isCompared = false
    }
  }

  return {
    now: () => machine.now() + (offset ?? 0),
    offset: () => offset,
    compare: () => {
      running ??= compare().finally(() => {
        running = undefined
      })
      return running
    },
  }
}
