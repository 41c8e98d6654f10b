import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type DecisionWaits, decisionWaits, type Wait } from './decision-waits.ts'

const never = () => new AbortController().signal
const isDecided = (state: string) => state !== 'pending'

const waitFor = (waits: DecisionWaits, changes: Partial<Wait<string>> = {}): Promise<string> =>
  waits.until({ first: 'pending', read: async () => 'pending', isDecided, seconds: 20, disconnected: never, ...changes })

/** Returns whether the promise is still pending after a moment. */
const waitsStill = async (waiting: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([waiting, setTimeout(50, 'still')])) === 'still'

describe('a wait for a decision', () => {
  it('does not read again if the state is final, or if no waiting time is given', async () => {
    const read = vi.fn<() => Promise<string>>()
    const waits = decisionWaits({ every: 5 })
    expect(await waitFor(waits, { first: 'approved', read })).toBe('approved')
    for (const seconds of [0, Number.NaN, -1]) expect(await waitFor(waits, { seconds, read })).toBe('pending')
    expect(read).not.toHaveBeenCalled()
  })

  it('resolves with the decision', async () => {
    let state = 'pending'
    const waiting = waitFor(decisionWaits({ every: 5 }), { read: async () => state })
    expect(await waitsStill(waiting)).toBe(true)
    state = 'rejected'
    expect(await waiting).toBe('rejected')
  })

  it('resolves with the current state when the time is over', async () => {
    const startedAt = performance.now()
    expect(await waitFor(decisionWaits({ every: 5 }), { seconds: 0.1 })).toBe('pending')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99)
  })

  it('rejects with the error of a read', async () => {
    const waiting = waitFor(decisionWaits({ every: 5 }), { read: () => Promise.reject(new Error('revoked')) })
    await expect(waiting).rejects.toThrow('revoked')
  })

  it('does not read again after the client has gone', async () => {
    const gone = new AbortController()
    const read = vi.fn(async () => 'pending')
    const waiting = waitFor(decisionWaits({ every: 5 }), { read, disconnected: () => gone.signal })
    await waitsStill(waiting)
    gone.abort()
    expect(await waiting).toBe('pending')
    const reads = read.mock.calls.length
    await setTimeout(30)
    expect(read).toHaveBeenCalledTimes(reads)
  })

  it('is refused if too many requests wait, and frees a place when it ends', async () => {
    const gone = new AbortController()
    const waits = decisionWaits({ most: 2, every: 5 })
    const waiting = [waitFor(waits, { disconnected: () => gone.signal }), waitFor(waits)]
    expect(await waitFor(waits)).toBe('pending')
    gone.abort()
    await waiting[0]
    expect(await waitsStill(waitFor(waits))).toBe(true)
    waits.end()
    await Promise.all(waiting)
  })

  it('ends at once at the shutdown, and no other wait begins afterwards', async () => {
    const waits = decisionWaits({ every: 60_000 })
    const waiting = [waitFor(waits), waitFor(waits)]
    expect(await waitsStill(Promise.all(waiting))).toBe(true)
    waits.end()
    expect(await Promise.all(waiting)).toEqual(['pending', 'pending'])
    expect(await waitFor(waits)).toBe('pending')
  })
})
