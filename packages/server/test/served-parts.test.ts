import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allParts, generateKeyRing, silentLogger, systemRandom } from '@countersign/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { openCountersign } from '../src/compose.ts'
import { readConfig } from '../src/config/read-config.ts'
import { type ServerProcess, startServerProcess } from '../src/testing/server-process.ts'

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const user = { email: 'ada@example.test', password: 'correct horse battery' }

/** A database that two servers can share. */
interface SharedDatabase {
  readonly url: string
  remove(): Promise<void>
}

const databases: Readonly<Record<string, (directory: string) => Promise<SharedDatabase>>> = {
  SQLite: async (directory) => ({ url: `sqlite:${join(directory, 'countersign.db')}`, remove: async () => {} }),
  PostgreSQL: async () => {
    const { url, drop } = await createPostgresDatabase()
    return { url, remove: drop }
  },
}

describe.each(Object.entries(databases))('two servers with different parts on one %s database', (_, createDatabase) => {
  let cwd: string
  let database: SharedDatabase
  let authentication: ServerProcess
  let projects: ServerProcess
  let customerId: string

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-parts-'))
    database = await createDatabase(cwd)
    const env = {
      COUNTERSIGN_DATABASE_URL: database.url,
      COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
      COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    }
    const start = (name: string, parts: string) =>
      startServerProcess({ cwd, env: { ...env, COUNTERSIGN_PARTS: parts }, modulesFile: join(cwd, `${name}.modules`) })
    // The server of projects starts first: on an empty database it needs no other server.
    projects = await start('projects', 'projects')
    authentication = await start('authentication', 'identity,approvals')
    const opened = await openCountersign(readConfig(env), { logger: silentLogger, parts: allParts })
    await opened.countersign.users.create({ ...user, permissions: ['project.*'] })
    customerId = (await opened.countersign.customers.create({ name: 'A customer', email: 'customer@example.test' })).id
    await opened.close()
  })
  afterAll(async () => {
    for (const server of [authentication, projects]) {
      server?.kill('SIGTERM')
      expect(await server?.exited).toBe(0)
    }
    await database?.remove()
    await rm(cwd, { recursive: true })
  })

  const ask = async ({ url }: ServerProcess, method: string, path: string, token?: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}`, 'x-service-name': 'billing' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  const login = async () => {
    const { body } = await ask(authentication, 'POST', '/api/v1/auth/login', undefined, user)
    return body.data as { readonly accessToken: string; readonly refreshToken: string }
  }

  it('a token of the first works at the second, and is refused there within a second after its logout', async () => {
    const { accessToken: token, refreshToken } = await login()
    const statuses = async () => [
      (await ask(projects, 'GET', '/api/v1/projects', token)).status,
      (await ask(projects, 'GET', '/api/v1/product-schemas', token)).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    expect((await ask(authentication, 'GET', '/internal/verify', token)).status).toBe(200)
    expect((await ask(authentication, 'POST', '/api/v1/auth/logout', token, { refreshToken })).status).toBe(200)
    await expectWithinASecond(async () => (await statuses()).every((status) => status === 401))
    expect((await ask(authentication, 'GET', '/internal/verify', token)).status).toBe(401)
  })

  it('a project is created and read at the second with a token of the first', async () => {
    const { accessToken: token } = await login()
    const given = { name: 'A bridge', customerId, contractValue: 1, currency: 'EUR' }
    const created = await ask(projects, 'POST', '/api/v1/projects', token, given)
    expect(created).toMatchObject({ status: 201, body: { data: { name: 'A bridge' } } })
    const { uniqueCode } = created.body.data as { readonly uniqueCode: string }
    const shown = await ask(projects, 'GET', `/api/v1/projects/${uniqueCode}`, token)
    expect(shown).toMatchObject({ status: 200, body: { data: { uniqueCode } } })
  })

  it('both answer /health with 200', async () => {
    for (const server of [authentication, projects]) {
      const { status, body } = await ask(server, 'GET', '/health')
      expect([status, body.status]).toEqual([200, 'healthy'])
    }
  })

  it('an operation of the other is answered with 404, in the error form of its service', async () => {
    const { accessToken: token } = await login()
    for (const path of ['/api/v1/projects', '/api/v1/projects/PRJ-2026-000001', '/api/v1/product-schemas']) {
      const { status, body } = await ask(authentication, 'GET', path, token)
      expect([status, body]).toEqual([404, { error: { code: 'NOT_FOUND', message: 'Not found', details: {}, statusCode: 404 } }])
    }
    for (const [method, path] of [
      ['POST', '/api/v1/auth/login'],
      ['GET', '/api/v1/auth/login'],
      ['GET', '/api/v1/auth/confirmation/pending'],
      ['GET', '/internal/verify'],
      ['GET', '/playground'],
    ] as const) {
      const { status, body } = await ask(projects, method, path, token)
      expect([status, body]).toEqual([404, { message: 'Not found', statusCode: 404, code: 'route_not_found' }])
    }
  })

  it('each describes only its own operations in /openapi.json', async () => {
    const pathsOf = async (server: ServerProcess) =>
      Object.keys((await ask(server, 'GET', '/openapi.json')).body.paths as Record<string, unknown>)
    const [ofAuthentication, ofProjects] = [await pathsOf(authentication), await pathsOf(projects)]
    expect(ofAuthentication.filter((path) => ofProjects.includes(path))).toEqual(['/health', '/health/live', '/health/ready'])
    expect(ofAuthentication).toContain('/api/v1/auth/confirmation/pending')
    expect(ofProjects).toContain('/api/v1/projects')
  })

  it('the JSON Schema engine and the routes of projects are loaded only by the server of projects', async () => {
    const { accessToken: token } = await login()
    await ask(projects, 'GET', '/api/v1/projects', token)
    const onlyProjects =
      /\/server\/src\/projects\/routes\/|\/core\/src\/shared\/json-schema\/(?!load-engine|schema-refused)|\/node_modules\/ajv\//
    const loadedBy = async (name: string) =>
      (await readFile(join(cwd, `${name}.modules`), 'utf8')).split('\n').filter((url) => onlyProjects.test(url))
    expect(await loadedBy('authentication')).toEqual([])
    expect((await loadedBy('projects')).length).toBeGreaterThan(0)
  })
})
