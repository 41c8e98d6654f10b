import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeRefusal } from './require-node.ts'
import { BUILT_COMMAND, runNode } from './testing/run-command.ts'
import type { Ran } from './testing/run-in-test-process.ts'
import { startServer } from './testing/start-server.ts'
import { workplaceOfFile } from './testing/workplace-of-file.ts'

/** The arguments with which `node` runs the command from its sources. */
const fromSource: readonly string[] = ['--conditions=@countersign/source', join(import.meta.dirname, 'bin.ts')]

const here = workplaceOfFile()

const expectRefusal = (ran: Ran, version: string): void => {
  expect(ran).toEqual({ code: 1, stdout: '', stderr: `error: ${nodeRefusal(version)}\n` })
}

test('on a version of Node that is too old, only the version check is loaded', async () => {
  const version = '20.20.2'
  const pretend = `
    import { registerHooks } from 'node:module'
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    registerHooks({ load: (url, context, next) => (/(bin|require-node)\\.ts$/.test(url) ? next(url, context) : process.exit(99)) })`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  expectRefusal(await runNode(here, process.execPath, ['--import', preload, ...fromSource, 'user', 'list']), version)
})

/** Every Node of this machine that is too old for the command, with its version. */
const oldNodes = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .filter((path) => existsSync(path))
  .map((path) => [path, execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()] as const)
  .filter(([, version]) => nodeRefusal(version) !== undefined)

test(`the built command refuses to run on each installed version of Node that is too old (${oldNodes.length})`, async () => {
  expect(existsSync(BUILT_COMMAND)).toBe(true)
  for (const [path, version] of oldNodes) expectRefusal(await runNode(here, path, [BUILT_COMMAND, 'user', 'list']), version)
})

test('as the first process of a container, a command ends on SIGTERM before a server listens', async () => {
  // No process of a test is process 1. The preload pretends so, and sends the signal once the handler is installed.
  const pretend = `
    const { pid } = process
    Object.defineProperty(process, 'pid', { value: 1 })
    process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(pid, 'SIGTERM')))`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  const ran = await runNode(here, process.execPath, ['--import', preload, ...fromSource, 'serve', '--port', '0'])
  expect(ran).toMatchObject({ code: 143, stderr: '' })
  expect(ran.stdout).not.toContain('listening')
})

test('the built command serves, and exits with 0 on SIGTERM', async () => {
  const server = await startServer(here)
  const health = await fetch(`${server.url}/health`)
  expect(health.status).toBe(200)
  expect(await health.json()).toMatchObject({ status: 'healthy' })
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('the built command serves without loading the modules behind `Request`', async () => {
  const tell = `
    import { subscribe } from 'node:diagnostics_channel'
    import { writeSync } from 'node:fs'
    const isLoaded = () => process.moduleLoadList.includes('NativeModule internal/deps/undici/undici')
    const write = (event) => writeSync(1, JSON.stringify({ event, isLoaded: isLoaded() }) + '\\n')
    subscribe('http.server.response.finish', () => write('answered'))
    process.once('exit', () => write('exit'))`
  const server = await startServer(here, ['--import', `data:text/javascript,${encodeURIComponent(tell)}`])
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  await server.stop('SIGTERM')
  const reports = () => server.lines.filter((line) => line.includes('isLoaded'))
  await expect.poll(reports).toEqual(['{"event":"answered","isLoaded":false}', '{"event":"exit","isLoaded":false}'])
})
