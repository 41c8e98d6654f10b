import { performance } from 'node:perf_hooks'

/** A moment by two clocks. The steady clock stands still while the machine sleeps. The wall clock can be set. */
export interface Moment {
  readonly steady: number
  readonly wall: number
}

export const thisMoment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Returns the milliseconds since a moment, by the clock that shows more. */
export const elapsedSince = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Math.abs(Date.now() - wall))
