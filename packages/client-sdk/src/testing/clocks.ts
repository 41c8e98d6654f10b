import { afterEach, beforeEach, vi } from 'vitest'
import type { TestClient } from './test-client.ts'

/** Fakes the clock of the machine on which the clients run. Timers keep running. */
export const withFakeDate = (): void => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())
}

export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => minutes(60 * count)

/** Lets time pass on the server and on the client's machine. */
export const pass = ({ test }: TestClient, milliseconds: number): void => {
  test.clock.advance(milliseconds)
  vi.setSystemTime(Date.now() + milliseconds)
}
