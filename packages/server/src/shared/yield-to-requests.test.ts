import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import { yieldToRequests } from './yield-to-requests.ts'

/** Threads of this process, by name, with the priority of each. */
const threads = (): readonly { readonly name: string; readonly priority: number }[] =>
  readdirSync('/proc/self/task').map((id) => ({
    name: readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
    priority: getPriority(Number(id)),
  }))

describe.runIf(process.platform === 'linux')('threads that hash passwords', () => {
  it('give way to requests, and no other thread does', async () => {
    const own = getPriority()
    await yieldToRequests()
    const ofPool = threads().filter(({ name }) => name === 'libuv-worker')
    expect(ofPool.length).toBeGreaterThan(0)
    for (const { priority } of ofPool) expect(priority).toBe(Math.min(19, own + 17))
    expect(getPriority()).toBe(own)
    for (const { name, priority } of threads()) if (name !== 'libuv-worker') expect([name, priority]).toEqual([name, own])
  })

  it('do so in a process that gives way itself already', () => {
    const script = `
      const { yieldToRequests } = await import(${JSON.stringify(new URL('./yield-to-requests.ts', import.meta.url).href)})
      const { getPriority } = await import('node:os')
      const { readdirSync, readFileSync } = await import('node:fs')
      await yieldToRequests()
      const ofPool = readdirSync('/proc/self/task').filter((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim() === 'libuv-worker')
      console.log(JSON.stringify([getPriority(), ...new Set(ofPool.map((id) => getPriority(Number(id))))]))`
    const output = execFileSync('nice', ['-n', '12', process.execPath, '--input-type=module', '--eval', script])
    expect(JSON.parse(output.toString())).toEqual([Math.min(19, getPriority() + 12), 19])
  })
})
