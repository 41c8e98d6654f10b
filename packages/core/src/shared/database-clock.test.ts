import { describe, expect, it } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { recordingLogger } from '../testing/recording-logger.ts'
import { minutes, realTime } from './clock.ts'
import { databaseClock } from './database-clock.ts'
import { Unavailable } from './errors.ts'

/** A machine and a database whose clock is ahead. Each round trip takes the next of these times. */
const given = ({ ahead = 0, ways = [] as readonly (readonly [there: number, back: number])[] } = {}) => {
  const machine = fakeClock()
  const logger = recordingLogger()
  const database = {
    ahead,
    asked: 0,
    isAway: false,
    time: async () => {
      const [there, back] = ways[database.asked++ % Math.max(1, ways.length)] ?? [0, 0]
      if (database.isAway) throw new Unavailable('away', { reason: 'database_timeout' })
      machine.advance(there)
      const time = machine.now() + database.ahead
      machine.advance(back)
      return time
    },
  }
  return { machine, logger, database, clock: databaseClock({ database, machine, logger }) }
}

describe('a database clock', () => {
  it('shows the time of the machine until the first comparison with the database', () => {
    const { clock, machine } = given({ ahead: minutes(10) })
    expect(clock.now()).toBe(machine.now())
    expect(clock.offset()).toBeUndefined()
    expect(realTime(clock, 5)).toBe(5)
  })

  it.each([minutes(10), -minutes(10), 1500])('shows the time of the database, which is %i ms ahead', async (ahead) => {
    const { clock, machine } = given({ ahead })
    await clock.compare()
    expect(clock.offset()).toBe(ahead)
    expect(clock.now()).toBe(machine.now() + ahead)
    expect(realTime(clock, clock.now())).toBe(machine.now())
    machine.advance(1000)
    expect(clock.now()).toBe(machine.now() + ahead)
  })

  it('subtracts half of the round trip of the quickest of five answers', async () => {
    const ways = [
      [400, 0],
      [3, 3],
      [0, 400],
      [300, 10],
      [100, 0],
    ] as const
    const { clock, database } = given({ ahead: minutes(1), ways })
    await clock.compare()
    expect(clock.offset()).toBe(minutes(1))
    expect(database.asked).toBe(5)
  })

  it('ignores a difference of less than half a round trip, so that the clock does not jitter', async () => {
    const { clock, database } = given({ ways: [[100, 0]] })
    await clock.compare()
    expect(clock.offset()).toBe(0)
    database.ahead = -20
    await clock.compare()
    expect(clock.offset()).toBe(0)
    database.ahead = -150
    await clock.compare()
    expect(clock.offset()).toBe(-100)
  })

  it('warns once of a difference of more than a second, and logs when the difference is over', async () => {
    const { clock, database, logger } = given({ ahead: 1000 })
    await clock.compare()
    expect(logger.entries).toEqual([])
    database.ahead = -1001
    for (let minute = 0; minute < 3; minute += 1) await clock.compare()
    expect(logger.entries).toMatchObject([{ level: 'warn', event: 'clock_differs', fields: { databaseAheadMs: -1001 } }])
    database.ahead = 0
    for (let minute = 0; minute < 3; minute += 1) await clock.compare()
    expect(logger.entries.slice(1)).toMatchObject([{ level: 'info', event: 'clock_agrees', fields: { databaseAheadMs: 0 } }])
  })

  it('keeps its correction while the database is unavailable, and warns once', async () => {
    const { clock, database, logger } = given({ ahead: 800 })
    await clock.compare()
    database.isAway = true
    await clock.compare()
    await clock.compare()
    expect(clock.offset()).toBe(800)
    expect(logger.entries).toMatchObject([{ event: 'clock_not_compared', fields: { reason: 'database_timeout' } }])
    database.isAway = false
    database.ahead = 900
    await clock.compare()
    expect(clock.offset()).toBe(900)
  })

  it('makes one comparison for all callers at the same time', async () => {
    const { clock, database } = given()
    await Promise.all([clock.compare(), clock.compare(), clock.compare()])
    expect(database.asked).toBe(5)
  })
})
