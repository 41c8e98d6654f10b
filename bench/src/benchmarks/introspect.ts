import type { Countersign } from '@countersign/core'
import { type Bench, type Kind, scaled } from '../harness/bench.ts'
import { fillDatabase, startCountersign } from '../harness/countersign.ts'
import type { Sent } from '../harness/http.ts'
import { comparison } from '../measure.ts'
import type { program as bareHono } from '../programs/bare-hono.ts'
import type { program as betterAuth } from '../programs/better-auth.ts'
import type { program as oidcProvider } from '../programs/oidc-provider.ts'
import { introspection, signInMany } from '../seeds.ts'

const SESSIONS = 1000
const USERS = 100
/** Several times as many tokens as a server caches. */
const NEW_TOKENS = 100_000

const BARE = 'bare Hono route'
const BETTER_AUTH = 'better-auth get-session, SQLite'
const SQLITE = 'Countersign, SQLite'

const openSessions = (bench: Bench, countersign: Countersign) =>
  signInMany(countersign, scaled(bench, USERS), scaled(bench, SESSIONS))

/** Creates live sessions in a database. Returns the database, and a request for each session. */
export const fillWithSessions = (bench: Bench, kind: Kind) =>
  fillDatabase(bench, kind, async (countersign) => (await openSessions(bench, countersign)).map(introspection))

const openBetterAuth = async (bench: Bench) => {
  const given = { path: `${bench.directory}/better-auth.db`, sessions: scaled(bench, SESSIONS) }
  const { pid, opened } = await bench.run<typeof betterAuth>('better-auth', given)
  const requests = opened.cookies.map((cookie) => ({
    method: 'GET' as const,
    path: '/api/auth/get-session',
    headers: { cookie },
  }))
  return bench.drive(BETTER_AUTH, { url: opened.url, pid }, 'requests', requests)
}

/** Opens a provider of OAuth, which a service asks about opaque tokens (RFC 7662), on SQLite or in memory. */
const openOidcProvider = async (bench: Bench, where: 'SQLite' | 'in memory') => {
  const path = where === 'SQLite' ? { path: `${bench.directory}/oidc-provider.db` } : {}
  // Its adapter in memory holds a thousand things.
  const given = { ...path, sessions: scaled(bench, SESSIONS / 4) }
  const { pid, opened } = await bench.run<typeof oidcProvider>('oidc-provider', given)
  const authorization = `Basic ${Buffer.from('service:secret').toString('base64')}`
  const requests = opened.sessions.map(({ accessToken }) => ({
    method: 'POST' as const,
    path: '/token/introspection',
    headers: { authorization },
    form: { token: accessToken },
  }))
  return bench.drive(`oidc-provider introspection, ${where}`, { url: opened.url, pid }, 'requests', requests)
}

/** Opens a route that only answers, with the headers and body of our response, and sends it the same requests. */
const openBare = async (bench: Bench, url: string, requests: readonly Sent[]) => {
  const headers = { ...requests[0]?.headers, authorization: `Bearer ${requests[0]?.token}` }
  const { pid, opened } = await bench.run<typeof bareHono>('bare-hono', { url: `${url}/internal/verify`, headers })
  return bench.drive(BARE, { url: opened, pid }, 'requests', requests)
}

/** Measures tokens that the server has seen before. It checks the session of each token every time. */
export const introspect = comparison({
  name: 'introspect',
  title: '`/internal/verify`, cached tokens',
  about:
    'One operation: a service verifies a token of one of 1000 live sessions of 100 users in turn, and the token is valid. 64 connections. oidc-provider is asked about opaque tokens (RFC 7662), with an adapter on better-sqlite3 as its documents describe it, and with its own in memory.',
  targets: [
    { of: SQLITE, to: BARE, bound: 0.85 },
    { of: SQLITE, to: BETTER_AUTH, bound: 20 },
  ],
  open: async (bench) => {
    const openOurs = async (kind: Kind) => {
      const { database, filled } = await fillWithSessions(bench, kind)
      const server = await startCountersign(bench, database)
      return { server, filled, contender: await bench.drive(`Countersign, ${kind}`, server, 'requests', filled) }
    }
    const ours = await openOurs('SQLite')
    const onPostgres = await openOurs('PostgreSQL')
    const bare = await openBare(bench, ours.server.url, ours.filled)
    const others = [
      await openBetterAuth(bench),
      await openOidcProvider(bench, 'SQLite'),
      await openOidcProvider(bench, 'in memory'),
    ]
    return [ours.contender, bare, onPostgres.contender, ...others]
  },
})

export const introspectNew = comparison({
  name: 'introspect-new',
  title: '`/internal/verify`, tokens that are not cached',
  about: 'The same with 100 000 tokens of those sessions in turn, several times as many as a process caches.',
  targets: [{ of: SQLITE, to: BARE, bound: 0.45 }],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(bench, 'SQLite', async (countersign) => {
      let pairs = await openSessions(bench, countersign)
      const requests: Sent[] = []
      while (requests.length < scaled(bench, NEW_TOKENS)) {
        pairs = await Promise.all(pairs.map(({ refreshToken }) => countersign.auth.refresh({ refreshToken })))
        requests.push(...pairs.map(introspection))
      }
      return requests
    })
    const server = await startCountersign(bench, database)
    return [await bench.drive(SQLITE, server, 'requests', filled), await openBare(bench, server.url, filled)]
  },
})
