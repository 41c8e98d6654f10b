import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { capture } from '../capture.ts'
import { freePort } from '../testing/free-port.ts'
import { blocksOfTest } from './page.ts'
import { createApp, installLibraries, installPackages } from './testing/stage.ts'

const workshop = createApp(blocksOfTest(import.meta.filename))

/** webpack returns its errors to its caller only. */
const runWebpack = `
  import webpack from 'webpack'
  import config from './webpack.config.js'
  webpack(config, (error, stats) => {
    if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString('errors-warnings'))
  })`

test.each([
  ['esbuild', 'host.mjs', createApp()],
  ['webpack', 'host.cjs', createApp()],
])(
  'a host bundled by %s with the settings of the page serves from its bundle alone',
  { timeout: 240_000 },
  async (bundler, file, cwd) => {
    expect(installPackages(workshop, ['@hono/node-server', 'esbuild', 'webpack'])).toEqual([])
    writeFileSync(join(workshop, 'build-with-webpack.js'), runWebpack)
    const { ok, output } = await capture(process.execPath, [`build-with-${bundler}.js`], workshop)
    expect(ok, output).toBe(true)

    cpSync(join(workshop, `out-${bundler}`), cwd, { recursive: true })
    expect(installLibraries(cwd, ['@node-rs/argon2', '@node-rs/bcrypt', 'better-sqlite3'])).toEqual([])
    // Without keys, the host creates its own.
    const env = { COUNTERSIGN_PORT: String(await freePort()) }
    const host = spawn(process.execPath, [file], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void host.kill())
    const ended = once(host, 'exit')
    const [url] = await Promise.race([once(host.stdout, 'data'), ended])
    // Nobody can log in yet, but the login hashes a password and reads the database.
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse battery staple' })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${String(url).trim()}/api/v1/auth/login`, { method: 'POST', headers, body })).status).toBe(401)
    host.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
