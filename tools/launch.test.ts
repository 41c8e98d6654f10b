import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { describe, expect, it } from 'vitest'
import { launch } from './launch.mjs'

const node = (code: string): Promise<number> => launch(process.execPath, ['-e', code])

const server = `
  process.on('SIGTERM', () => process.exit(7))
  setInterval(() => {}, 1000)
  console.log('serving')`

/** Starts a process that launches `code` in another process and exits with its exit code. */
const spawnLauncher = (code: string): ChildProcess => {
  const launcher = `
    const { launch } = await import(${JSON.stringify(new URL('launch.mjs', import.meta.url).href)})
    process.exit(await launch(process.execPath, ['-e', ${JSON.stringify(code)}]))`
  return spawn(process.execPath, ['--input-type=module', '-e', launcher], { stdio: ['ignore', 'pipe', 'inherit'] })
}

const served = async (child: ChildProcess): Promise<void> => {
  if (child.stdout !== null) await once(child.stdout, 'data')
}

describe('launch', () => {
  it('resolves with the exit code of the program', async () => {
    expect(await node('process.exit(3)')).toBe(3)
  })

  it('resolves with the exit code of shells for a program that a signal ended', async () => {
    expect(await node(`process.kill(process.pid, 'SIGKILL')`)).toBe(128 + constants.signals.SIGKILL)
  })

  it('forwards a signal and lets the program handle it', async () => {
    const launcher = spawnLauncher(server)
    await served(launcher)
    launcher.kill('SIGTERM')
    expect(await once(launcher, 'exit')).toStrictEqual([7, null])
  })

  it('rejects when the program does not exist', async () => {
    await expect(launch('/no/such/program', [])).rejects.toThrow('ENOENT')
  })

  it('leaves no signal listener behind', async () => {
    const before = process.listenerCount('SIGTERM')
    await node('')
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
