import { serve } from '@hono/node-server'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'
import { answerCalls } from '../harness/calls.ts'

export interface BetterAuthOptions {
  readonly path: string
  readonly sessions: number
}

export interface BetterAuthServer {
  readonly url: string
  /** A `cookie` header for each session. */
  readonly cookies: readonly string[]
  readonly email: string
  readonly password: string
}

const email = 'bench@bench.test'
const password = 'correct horse battery staple'

/**
 * Opens a server with password login and sessions in SQLite, as in the documents of better-auth: its Kysely adapter on
 * better-sqlite3, its handler in Hono.
 */
const open = async ({ path, sessions }: BetterAuthOptions): Promise<BetterAuthServer> => {
  const database = new Sqlite(path)
  // better-sqlite3 recommends WAL. The benchmark measures reading.
  database.pragma('journal_mode = wal')
  const settings = {
    baseURL: 'http://127.0.0.1',
    secret: 'a secret of the benchmark that nobody else has to know',
    database,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  }
  const auth = betterAuth({ ...settings, emailAndPassword: { enabled: true } })
  const { runMigrations } = await getMigrations(auth.options)
  await runMigrations()
  await auth.api.signUpEmail({ body: { email, password, name: 'Bench' } })
  // This instance only fills the database: a thousand password checks would take a minute.
  const openDoor = betterAuth({
    ...settings,
    emailAndPassword: { enabled: true, password: { hash: async () => '', verify: async () => true } },
  })
  const cookies: string[] = []
  while (cookies.length < sessions) {
    const { headers } = await openDoor.api.signInEmail({ body: { email, password }, returnHeaders: true })
    cookies.push(
      headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    )
  }
  const app = new Hono()
  app.on(['POST', 'GET'], '/api/auth/*', (c) => auth.handler(c.req.raw))
  const url = await new Promise<string>((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
  return { url, cookies, email, password }
}

export const methods = { open }

answerCalls(methods)
