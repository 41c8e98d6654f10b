import { silentLogger } from '@countersign/core'
import { fakeClock } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followDatabaseClock } from './follow-database.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A machine whose clock runs with the fake timers, and a database whose clock is right. */
const given = async () => {
  const realTime = fakeClock()
  const state = { isSetAhead: 0, comparisons: 0 }
  const machine = { now: () => realTime.now() + state.isSetAhead }
  const time = async () => {
    state.comparisons += 1 / 5
    return realTime.now()
  }
  const { clock, stop } = await followDatabaseClock({ time }, { logger: silentLogger, machine })
  const wait = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 1000) {
      realTime.advance(Math.min(left, 1000))
      await vi.advanceTimersByTimeAsync(Math.min(left, 1000))
    }
  }
  return { realTime, machine, state, clock, stop, wait, comparisons: () => Math.round(state.comparisons) }
}

it('the clock of a server is compared with the database at once, and each minute', async () => {
  const { comparisons, wait, stop } = await given()
  expect(comparisons()).toBe(1)
  await wait(59_000)
  expect(comparisons()).toBe(1)
  await wait(1000)
  expect(comparisons()).toBe(2)
  await wait(60_000)
  expect(comparisons()).toBe(3)
  stop()
  await wait(120_000)
  expect(comparisons()).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

it('the clock of a server shows the time of the database again within five seconds after the clock of the machine was set', async () => {
  const { clock, realTime, machine, state, wait, stop } = await given()
  expect(clock.now()).toBe(realTime.now())
  state.isSetAhead = 600_000
  expect(clock.now()).toBe(realTime.now() + 600_000)
  await wait(5000)
  expect(clock.now()).toBe(realTime.now())
  expect(clock.offset?.()).toBe(-600_000)
  expect(machine.now()).toBe(realTime.now() + 600_000)
  stop()
})

it('a server uses the clock of the machine if the database has no clock', async () => {
  const machine = fakeClock()
  const { clock, stop } = await followDatabaseClock({}, { logger: silentLogger, machine })
  expect(clock).toBe(machine)
  expect(vi.getTimerCount()).toBe(0)
  stop()
})
