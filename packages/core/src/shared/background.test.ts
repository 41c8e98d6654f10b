import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { nextTickBackground } from './background.ts'

it('background work starts after the code that asked for it', async () => {
  const order: string[] = []
  nextTickBackground.run(async () => {
    order.push('work')
  })
  order.push('answer')
  await Promise.resolve()
  expect(order).toStrictEqual(['answer'])
  await setImmediate()
  expect(order).toStrictEqual(['answer', 'work'])
})

it('background work with a delay starts when the delay has passed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    let started = 0
    nextTickBackground.run(async () => {
      started += 1
    }, 10_000)
    vi.advanceTimersByTime(9999)
    expect(started).toBe(0)
    vi.advanceTimersByTime(1)
    expect(started).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
