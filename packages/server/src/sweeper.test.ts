import type { SweptRows } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startSweeper } from './sweeper.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('the sweeper runs every minute, one run at a time, until it is stopped', async () => {
  let runs = 0
  let finish: (rows: SweptRows) => void = () => {}
  const sweep = () => {
    runs += 1
    return new Promise<SweptRows>((resolve) => {
      finish = resolve
    })
  }
  const logger = recordingLogger()
  const stop = startSweeper({ sweep }, logger)
  await vi.advanceTimersByTimeAsync(59_999)
  expect(runs).toBe(0)
  await vi.advanceTimersByTimeAsync(180_001)
  expect(runs).toBe(1)
  finish({ sessions: 3, challenges: 4 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(2)
  expect(logger.entries).toEqual([{ level: 'info', event: 'swept', fields: { rows: 7, sessions: 3, challenges: 4 } }])

  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(isStopped).toBe(false)
  finish({})
  await stopped
  await vi.advanceTimersByTimeAsync(600_000)
  expect(runs).toBe(2)
})

it('the sweeper logs a failed run and tries again', async () => {
  let runs = 0
  const logger = recordingLogger()
  const sweep = async () => {
    runs += 1
    throw Object.assign(new Error('hunter2'), { code: 'SQLITE_FULL' })
  }
  const stop = startSweeper({ sweep }, logger)
  await vi.advanceTimersByTimeAsync(120_000)
  await stop()
  expect(runs).toBe(2)
  expect(logger.entries).toEqual([
    { level: 'warn', event: 'sweep_failed', fields: expect.objectContaining({ code: 'SQLITE_FULL' }) },
    expect.objectContaining({ event: 'sweep_failed' }),
  ])
  expect(JSON.stringify(logger.entries)).not.toContain('hunter2')
})
