import { performance } from 'node:perf_hooks'
import { setInterval } from 'node:timers'

const TICK = 10

let at = performance.now()
/** Milliseconds of processor time. */
let worked = 0
let measured = 0
let isRunning = false

const measure = (): number => {
  const passed = performance.now() - at
  const { user, system } = process.cpuUsage()
  const work = (user + system) / 1000 - worked
  at += passed
  worked += work
  measured += Math.min(passed, Math.max(2 * TICK, work))
  return measured
}

/**
 * Starts to measure the milliseconds that the work and the waits of this process take. Time in which a busy machine gives the
 * process no processor is left out, so that a time limit measures the tested code, whatever else runs. Returns a function that
 * reads the milliseconds so far. A second process of the test is delayed in the same way as this process.
 */
export const startStopwatch = (): (() => number) => {
  if (!isRunning) setInterval(measure, TICK).unref()
  isRunning = true
  const from = measure()
  return () => measure() - from
}
