import { describe, expect, it } from 'vitest'
import { toIsoTimestamp } from '../shared/clock.ts'
import { clockStart, fakeClock } from './fake-clock.ts'

describe('a fake clock', () => {
  it('does not move at its start', () => {
    expect(toIsoTimestamp(fakeClock().now())).toBe('2026-01-05T09:00:00.000Z')
    expect(fakeClock(42).now()).toBe(42)
  })

  it('moves forward and back', () => {
    const clock = fakeClock()
    clock.advance(1500)
    expect(clock.now()).toBe(clockStart + 1500)
    clock.advance(-2000)
    expect(clock.now()).toBe(clockStart - 500)
    clock.set(7)
    expect(clock.now()).toBe(7)
  })
})
