import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversed, limit } from '../harness/contenders.ts'
import { fillDatabase, pathOf, sqliteUrl } from '../harness/database.ts'
import type { methods as rotationMethods } from '../raw/rotation-sqlite.ts'
import { signInMany } from '../seeds/sign-in.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'
import { openOnPostgres, POSTGRES, RAW_POSTGRES } from './on-postgres.ts'

const CONVERSATIONS = 64

const OURS = 'Countersign, SQLite'
const RAW = 'raw better-sqlite3, one commit at a time'

export const refresh: Comparison = {
  kind: 'comparison',
  name: 'refresh',
  title: 'Refresh with rotation, SQLite',
  about:
    'One operation: a refresh token is exchanged for the next pair, durably (`synchronous=FULL`). 64 connections, each with its own session, rate limits off. The raw loop commits one rotation after another.',
  targets: [{ of: OURS, to: RAW, bound: 1.2, means: 'times the rate without shared commits' }],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(sqliteUrl(bench.directory, 'refresh'), async ({ countersign }) =>
      (await signInMany(countersign, { users: CONVERSATIONS, sessions: CONVERSATIONS })).map(({ refreshToken }) => ({
        path: '/api/v1/auth/refresh' as const,
        refreshToken,
      })),
    )
    const path = join(bench.directory, 'refresh-raw.db')
    copyFileSync(pathOf(database), path)
    const server = await startCountersign(bench, database, noRateLimits)
    return [
      await conversed(bench, { name: OURS, ...server }, 'refresh', filled),
      await limit<typeof rotationMethods>(bench, RAW, 'rotation-sqlite', { path }),
    ]
  },
}

export const refreshPostgres: Comparison = {
  kind: 'comparison',
  name: 'refresh-postgres',
  title: 'Refresh with rotation, PostgreSQL',
  about:
    'The same on PostgreSQL, durable too, rate limits off. The raw driver sends only the rotation, the one statement of a refresh whose session is cached, on a pool of ten as well.',
  targets: [{ of: POSTGRES, to: RAW_POSTGRES, bound: 0.6, means: 'of the bare statements' }],
  open: async (bench) => {
    const { server, devices, bare } = await openOnPostgres(bench, 'refresh')
    const conversations = devices.map(({ refreshToken }) => ({ path: '/api/v1/auth/mobile/refresh', refreshToken }))
    return [await conversed(bench, server, 'refresh', conversations), bare]
  },
}
