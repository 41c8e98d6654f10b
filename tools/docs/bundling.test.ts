import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyRing, silentLogger, systemRandom } from '@countersign/core'
import { openCountersign, readConfig } from '@countersign/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { type PostgresServer, startPostgres } from '../testing/start-postgres.ts'
import { blocksOfTest } from './blocks-of-test.ts'
import { installLibraries, installPackages } from './install-packages.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-bundling-'))
const workshop = join(directory, 'workshop')
const ada = { email: 'ada@example.com', password: 'correct horse battery staple' }
const keys = { COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom), COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom) }
let postgres: PostgresServer

/** A program that prints the errors of webpack; webpack returns them to its caller only. */
const runWebpack = `
  import webpack from 'webpack'
  import config from './webpack.config.js'
  webpack(config, (error, stats) => {
    if (error) throw error
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'))
  })`

beforeAll(async () => {
  mkdirSync(workshop)
  expect(installPackages(workshop, ['@hono/node-server', 'esbuild', 'webpack'])).toEqual([])
  writeFileSync(join(workshop, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(workshop, 'build-with-webpack.js'), runWebpack)
  for (const { text, marks } of blocksOfTest(import.meta.filename)) writeFileSync(join(workshop, marks.get('title') ?? ''), text)
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.remove()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns a folder that holds only a bundle and the packages that must be installed beside it. */
const deploy = (from: string, packages: readonly string[]): string => {
  const to = mkdtempSync(join(directory, 'deployed-'))
  cpSync(join(workshop, from), to, { recursive: true })
  expect(installLibraries(to, packages)).toEqual([])
  return to
}

/** Runs a bundled host. Resolves when the host has printed its address. */
const start = async (cwd: string, file: string, env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0]
        if (url !== undefined) resolve(url)
      })
    }
  })
  const ended = exited.then((code) => Promise.reject(new Error(`${file} ended with ${code}: ${said}`)))
  const url = await Promise.race([listening, ended])
  ended.catch(() => {})
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM')
    return exited
  }
  return { url, stop }
}

/** Milliseconds. A bundler keeps a processor busy for seconds, and needs far longer on a busy machine. */
const LONGEST = 180_000

const bundlers = [
  { bundler: 'esbuild', script: 'build-with-esbuild.js', out: 'out-esbuild', file: 'host.mjs' },
  { bundler: 'webpack', script: 'build-with-webpack.js', out: 'out-webpack', file: 'host.cjs' },
] as const

test.each(bundlers)(
  'a host bundled by $bundler with the settings of the page serves logins',
  async (given) => {
    const { ok, output } = await capture(process.execPath, [given.script], workshop)
    expect(ok, output).toBe(true)
    const databases = [
      {
        url: `sqlite:${join(directory, `${given.bundler}.db`)}`,
        beside: ['@node-rs/argon2', '@node-rs/bcrypt', 'better-sqlite3'],
      },
      { url: postgres.url, beside: ['@node-rs/argon2', '@node-rs/bcrypt'] },
    ]
    for (const { url: database, beside } of databases) {
      const env = { ...keys, COUNTERSIGN_DATABASE_URL: database, COUNTERSIGN_PORT: '0' }
      const { countersign, storage, close } = await openCountersign(readConfig(env), { logger: silentLogger })
      await storage.migrate()
      const email = `${given.bundler}-${ada.email}`
      await countersign.users.create({ ...ada, email })
      await close()

      const host = await start(deploy(given.out, beside), given.file, env)
      try {
        const login = await fetch(`${host.url}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...ada, email }),
        })
        expect(login.status).toBe(200)
        const { data } = (await login.json()) as { readonly data: { readonly accessToken: string } }
        const headers = { Authorization: `Bearer ${data.accessToken}`, 'X-Service-Name': 'billing' }
        const verified = await fetch(`${host.url}/internal/verify`, { headers })
        expect(await verified.json()).toMatchObject({ valid: true, claims: { email } })
      } finally {
        expect(await host.stop()).toBe(0)
      }
    }
  },
  LONGEST,
)
