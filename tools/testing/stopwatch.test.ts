import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startStopwatch } from './stopwatch.ts'

describe('the stopwatch', () => {
  it('measures a wait and the work of the process', async () => {
    const waited = startStopwatch()
    const turns = 50
    for (let turn = 0; turn < turns; turn += 1) await pause(10)
    expect(waited()).toBeGreaterThan(turns * 10 * 0.9)
    const worked = startStopwatch()
    const before = process.cpuUsage()
    for (let used = 0; used < 100_000; ) {
      const { user, system } = process.cpuUsage(before)
      used = user + system
    }
    expect(worked()).toBeGreaterThan(90)
  })

  it('leaves out the time in which the process gets no processor', () => {
    const stood = startStopwatch()
    spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 500)'])
    expect(stood()).toBeLessThan(250)
  })
})
