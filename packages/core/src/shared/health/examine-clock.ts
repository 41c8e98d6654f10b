import type { Instant } from '../clock.ts'
import { databaseClock, WORST_CLOCK_OFFSET } from '../database-clock.ts'
import { type Finding, failed, ok } from './finding.ts'

/** Compares the clock of this machine, whose time tokens have, with the database's. More than a second apart is a fault. */
export const examineClock = async ({ time }: { readonly time?: () => Promise<Instant> }): Promise<Finding> => {
  if (time === undefined) return ok('the database shares the clock of this machine')
  const clock = databaseClock({ database: { time } })
  await clock.compare()
  const offset = clock.offset()
  if (offset === undefined) return failed('the clock of the database did not answer')
  if (offset === 0) return ok('agrees with the clock of the database')
  const seconds = (Math.abs(offset) / 1000).toFixed(3)
  const difference = `${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the clock of the database`
  return Math.abs(offset) > WORST_CLOCK_OFFSET ? failed(`${difference}; check NTP on both machines`) : ok(difference)
}
