import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Overloaded } from '../../shared/errors.ts'
import { gate } from '../../testing/contract/at-once.ts'
import { hashLane } from './hash-lane.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const given = (longestWaitMs: number, concurrency = 1) => hashLane({ lane: 'own', concurrency, longestWaitMs })
const never = () => new Promise<void>(() => {})

/** A hash that takes the given time on the fake clock. */
const hashOf = (ms: number) => async () => {
  vi.advanceTimersByTime(ms)
}

describe('a lane of hashes', () => {
  it('is full when the estimated wait is too long, whatever the number of hashes is', async () => {
    const lane = given(1000)
    void lane.run(600, never)
    void lane.run(600, never)
    await expect(lane.run(1, never)).rejects.toBeInstanceOf(Overloaded)
    const quick = given(1000)
    for (let hashes = 0; hashes < 501; hashes += 1) void quick.run(2, never)
    await expect(quick.run(2, never)).rejects.toBeInstanceOf(Overloaded)
    expect(quick.load()).toStrictEqual({ lane: 'own', running: 1, waiting: 500, waitMs: 1002, longestWaitMs: 1000 })
  })

  it('accepts a hash of any cost while it is empty', async () => {
    await expect(given(10).run(60_000, async () => 'done')).resolves.toBe('done')
  })

  it('returns the time after which there is room', () => {
    const lane = given(1000)
    void lane.run(5000, never)
    expect(lane.ensureRoom).toThrow(expect.objectContaining({ retryAfterMs: 4000 }))
    const almost = given(1000)
    void almost.run(1001, never)
    expect(almost.ensureRoom).toThrow(expect.objectContaining({ retryAfterMs: 1000 }))
  })

  it('divides the time among the hashes that run at the same time', () => {
    const lane = given(1000, 4)
    for (let hashes = 0; hashes < 4; hashes += 1) void lane.run(1000, never)
    expect(lane.ensureRoom).not.toThrow()
    void lane.run(1000, never)
    expect(lane.ensureRoom).toThrow(Overloaded)
  })

  it('has room again when a hash ends, by an error too', async () => {
    const lane = given(0)
    const { passed, open } = gate()
    const run = lane.run(100, () => passed)
    expect(lane.ensureRoom).toThrow(Overloaded)
    open()
    await run
    expect(lane.ensureRoom).not.toThrow()
    await expect(lane.run(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const guard = () => Promise.reject(new Error('not now'))
    await expect(lane.run(100, async () => {}, guard)).rejects.toThrow('not now')
    expect(lane.load()).toMatchObject({ running: 0, waitMs: 0 })
  })

  it('estimates the wait on a slow machine by the times that it measured there', async () => {
    const lane = given(1000)
    for (let hashes = 0; hashes < 60; hashes += 1) await lane.run(100, hashOf(400))
    void lane.run(100, never)
    expect(lane.load().waitMs).toBeCloseTo(400, -1)
  })

  it('does not count the time of a guard as time of a hash', async () => {
    const lane = given(1000)
    for (let hashes = 0; hashes < 60; hashes += 1) await lane.run(100, hashOf(100), hashOf(5000))
    void lane.run(100, never)
    expect(lane.load().waitMs).toBeCloseTo(100)
  })

  it('recovers from one hash during which the machine slept', async () => {
    const lane = given(1000)
    await lane.run(100, hashOf(8 * 3_600_000))
    void lane.run(100, never)
    expect(lane.load().waitMs).toBeLessThan(200)
  })
})
