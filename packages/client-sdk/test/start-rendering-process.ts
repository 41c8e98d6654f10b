import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compileCache } from '../../../tools/testing/compile-cache.ts'
import { secret } from '../src/testing/rendering-app.ts'

const script = join(import.meta.dirname, 'rendering-process.ts')
const clock = join(import.meta.dirname, '..', '..', '..', 'tools', 'testing', 'advance-clock.ts')

/** Starts a process of an app that renders pages. All such processes have the same secret. It ends with the test. */
export const startRenderingProcess = async (baseUrl: string) => {
  const child = spawn(process.execPath, ['--conditions=@countersign/source', '--import', clock, script, baseUrl, secret], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill())
  const receive = async (): Promise<unknown> => {
    const [message] = (await once(child, 'message')) as [unknown]
    return message
  }
  const url = String(await receive())
  return {
    url,
    /** Advances the clock of the process to this time after its start. */
    advanceTo: async (milliseconds: number): Promise<void> => {
      const told = receive()
      child.send(milliseconds)
      await told
    },
  }
}
