import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

it('the processes that a worker of the tests started end with the worker, whatever ends it', async () => {
  const code = `
    await import(${JSON.stringify(new URL('end-processes.ts', import.meta.url).href)})
    const { spawn } = await import('node:child_process')
    const forever = ['-e', 'console.log(1); setInterval(() => {}, 1000)']
    // Both processes keep the output of the worker open. The second process leads a group of its own.
    spawn(process.execPath, forever, { stdio: 'inherit' })
    spawn(process.execPath, forever, { stdio: 'inherit', detached: true })`
  const worker = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  worker.stdout.on('data', (data: Buffer) => {
    printed += data
    if (printed === '1\n1\n') worker.kill('SIGKILL')
  })
  await once(worker, 'close')
  expect(worker.signalCode).toBe('SIGKILL')
})
