import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'
import { listen } from '../harness/listen.ts'
import { answerCalls } from '../harness/program.ts'

interface BetterAuthOptions {
  readonly path: string
  /** The number of sessions to open. With any, every password is accepted, because only reading sessions is measured. */
  readonly sessions?: number
}

const user = { email: 'bench@bench.test', password: 'correct horse battery staple' }

/** Opens a server with sessions in SQLite, as in the documents of better-auth. Resolves with a cookie for each session. */
export const program = answerCalls(async ({ path, sessions = 0 }: BetterAuthOptions) => {
  const database = new Sqlite(path)
  // better-sqlite3 recommends WAL.
  database.pragma('journal_mode = wal')
  const auth = betterAuth({
    baseURL: 'http://127.0.0.1',
    secret: 'a secret of the benchmark that nobody else has to know',
    database,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      ...(sessions > 0 && { password: { hash: async () => 'none', verify: async () => true } }),
    },
  })
  await (await getMigrations(auth.options)).runMigrations()
  await auth.api.signUpEmail({ body: { ...user, name: 'Bench' } })
  const cookies: string[] = []
  while (cookies.length < sessions) {
    const { headers } = await auth.api.signInEmail({ body: user, returnHeaders: true })
    const pairs = headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    cookies.push(pairs.join('; '))
  }
  const app = new Hono().on(['POST', 'GET'], '/api/auth/*', (c) => auth.handler(c.req.raw))
  return { url: await listen(app), cookies, user }
})
