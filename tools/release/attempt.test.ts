import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createAttempt } from './attempt.ts'

const never = new AbortController().signal

/** A program that starts a second program and waits for ever. The second program connects to `port` and waits for ever, too. */
const parentOf = (port: number): string => {
  const grandchild = `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000)`
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}]); setInterval(() => {}, 1000)`
}

describe('an attempt', () => {
  it('resolves with what the program printed', async () => {
    const echo = 'process.stdin.pipe(process.stdout)'
    expect(await createAttempt(never)(process.execPath, ['-e', echo], tmpdir(), { input: 'hello' })).toEqual({
      ok: true,
      output: 'hello',
    })
  })

  it('that fails names its command, its folder and its exit code', async () => {
    const { ok, output } = await createAttempt(never)(process.execPath, ['-e', 'console.log("no"); process.exit(3)'], tmpdir())
    expect(ok).toBe(false)
    expect(output).toBe(`$ ${process.execPath} -e console.log("no"); process.exit(3)\nin ${tmpdir()}: exit code 3\nno`)
  })

  it('of a program that does not exist fails', async () => {
    const { ok, output } = await createAttempt(never)('countersign-no-such-program', [], tmpdir())
    expect({ ok, output }).toMatchObject({ ok: false, output: expect.stringContaining('could not be started') })
  })

  it('that is interrupted ends the program and the programs that it started', async () => {
    const interruption = new AbortController()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const attempt = createAttempt(interruption.signal)(process.execPath, ['-e', parentOf(port)], tmpdir())
    const [grandchild] = (await once(server, 'connection')) as [Socket]
    const ended = new Promise((resolve) => grandchild.once('close', resolve).once('error', resolve).resume())
    interruption.abort()
    const { ok, output } = await attempt
    await ended
    server.close()
    expect(ok).toBe(false)
    expect(output).toContain(`in ${tmpdir()}: interrupted`)
  })

  it('that takes too long is ended', async () => {
    const { output } = await createAttempt(never, 100)(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], tmpdir())
    expect(output).toContain(`in ${tmpdir()}: took more than 0.1 s`)
  })

  it('after an interruption starts nothing', async () => {
    const { output } = await createAttempt(AbortSignal.abort())(process.execPath, ['-e', ''], tmpdir())
    expect(output).toContain('not started')
  })
})
