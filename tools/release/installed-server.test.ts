import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { startInstalledServer } from './installed-server.ts'

const start = (program: string, timeout?: number) =>
  startInstalledServer([process.execPath, '-e', program], {
    cwd: tmpdir(),
    env: process.env,
    ...(timeout === undefined ? {} : { timeout }),
  })

it('the start returns the address that the server logs, and a function that stops the server', async () => {
  const line = JSON.stringify({ event: 'listening', url: 'http://127.0.0.1:1' })
  const server = await start(`console.log('a line that is not JSON'); console.log('${line}'); setInterval(() => {}, 1000)`)
  expect(server.url).toBe('http://127.0.0.1:1')
  await server.stop()
})

it('the start fails with what the server printed when the server ends before it listens', async () => {
  await expect(start('console.error("no database"); process.exitCode = 1')).rejects.toThrow(/ended with 1\nno database/)
})

it('the start fails when the server does not listen in time', async () => {
  await expect(start('setInterval(() => {}, 1000)', 200)).rejects.toThrow('did not listen within 0.2 s')
})

it('the start fails when the program does not exist', async () => {
  const options = { cwd: tmpdir(), env: process.env }
  await expect(startInstalledServer(['countersign-no-such-program'], options)).rejects.toThrow('ENOENT')
})
