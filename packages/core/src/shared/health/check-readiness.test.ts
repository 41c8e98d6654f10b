import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FullStorage } from '../../storage.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { seconds } from '../clock.ts'
import { Unavailable } from '../errors.ts'

/** Makes a storage with this probe of writes, which counts its calls. */
const storageWithProbe = async (
  probeWrites: () => Promise<void>,
): Promise<{ readonly storage: FullStorage; readonly probes: () => number }> => {
  let count = 0
  const counted = (): Promise<void> => {
    count += 1
    return probeWrites()
  }
  return { storage: { ...(await createTestStorage()), probeWrites: counted }, probes: () => count }
}

describe('a readiness check', () => {
  it('is ready while the database accepts writes', async () => {
    const { countersign } = await createTestCountersign()
    expect(await countersign.readiness()).toStrictEqual({ status: 'ready', at: clockStart, reason: null })
  })

  it.each([
    ['the cause of the refusal', () => Promise.reject(new Unavailable(undefined, { reason: 'database_full' })), 'database_full'],
    ['no cause, as a failure', () => Promise.reject(new Error('away')), 'database_failed'],
    [
      'an error that is thrown at once',
      () => {
        throw new Unavailable(undefined, { reason: 'database_read_only' })
      },
      'database_read_only',
    ],
  ])('is unready if the database accepts no writes, with %s', async (_, probeWrites, reason) => {
    const { storage, probes } = await storageWithProbe(probeWrites)
    const { countersign, clock } = await createTestCountersign({ storage })
    expect(await countersign.readiness()).toMatchObject({ status: 'unready', reason })
    clock.advance(seconds(1))
    expect(await countersign.readiness()).toMatchObject({ status: 'unready', reason })
    expect(probes()).toBe(2)
  })

  it('probes at most once a second, for any number of requests', async () => {
    const { storage, probes } = await storageWithProbe(async () => {})
    const { countersign, clock } = await createTestCountersign({ storage })
    await Promise.all(Array.from({ length: 100 }, () => countersign.readiness()))
    clock.advance(999)
    await countersign.readiness()
    expect(probes()).toBe(1)
    clock.advance(1)
    await countersign.readiness()
    expect(probes()).toBe(2)
  })
})

describe('a probe of writes that does not end', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is unready after two seconds, and no other probe begins until the first one ends', async () => {
    let end = (): void => {}
    const { storage, probes } = await storageWithProbe(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    const { countersign, clock } = await createTestCountersign({ storage })
    const first = countersign.readiness()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await first).toMatchObject({ status: 'unready', reason: 'database_timeout' })
    for (let second = 0; second < 3; second += 1) {
      clock.advance(seconds(1))
      // Answers without another wait.
      expect(await countersign.readiness()).toMatchObject({ status: 'unready', reason: 'database_timeout' })
    }
    expect(probes()).toBe(1)

    end()
    await vi.advanceTimersByTimeAsync(0)
    clock.advance(seconds(1))
    const again = countersign.readiness()
    end()
    expect(await again).toMatchObject({ status: 'ready', reason: null })
    expect(probes()).toBe(2)
  })
})
