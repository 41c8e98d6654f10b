import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../harness/bench.ts'
import { conversed, limit } from '../harness/contenders.ts'
import { fillDatabase, pathOf, sqliteUrl } from '../harness/database.ts'
import type { methods } from '../raw/device-sqlite.ts'
import { holdDevices } from '../seeds/held-device.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'
import { openOnPostgres, POSTGRES, RAW_POSTGRES } from './on-postgres.ts'

const CONVERSATIONS = 64

const OURS = 'Countersign, SQLite'
const RAW = 'raw signature check and commits'
const target = { of: OURS, to: RAW, bound: 0.5, means: 'of the bare signature check and commits' }

const openOnSqlite = async (bench: Bench, what: 'login' | 'confirmation') => {
  const { database, filled: devices } = await fillDatabase(sqliteUrl(bench.directory, what), ({ countersign }) =>
    holdDevices(countersign, CONVERSATIONS),
  )
  const [device] = devices
  if (device === undefined) throw new Error('there is no device')
  const path = join(bench.directory, `${what}-raw.db`)
  copyFileSync(pathOf(database), path)
  const server = await startCountersign(bench, database, noRateLimits)
  return [
    await conversed(bench, { name: OURS, ...server }, what === 'login' ? 'device-login' : 'confirmation', devices),
    await limit<typeof methods>(bench, RAW, 'device-sqlite', { path, what, device }),
  ]
}

export const deviceLogin: Comparison = {
  kind: 'comparison',
  name: 'device-login',
  title: 'Login by a device’s signature, SQLite',
  about:
    'One operation: a device gets a challenge and logs in by signing it (ES256); two requests, three durable steps. 64 connections, each with its own device, rate limits off. The raw loop checks a signature and commits the three steps one after another.',
  targets: [target],
  open: (bench) => openOnSqlite(bench, 'login'),
}

export const confirmation: Comparison = {
  kind: 'comparison',
  name: 'confirmation',
  title: 'Confirmation by signature, SQLite',
  about:
    'One operation: a confirmation is initiated and approved by the signature of a device (ES256); two requests, two durable steps. Otherwise as before.',
  targets: [target],
  open: (bench) => openOnSqlite(bench, 'confirmation'),
}

export const confirmationPostgres: Comparison = {
  kind: 'comparison',
  name: 'confirmation-postgres',
  title: 'Confirmation by signature, PostgreSQL',
  about: 'The same on PostgreSQL. The raw driver sends the same statements and checks the signature, on a pool of ten as well.',
  targets: [{ of: POSTGRES, to: RAW_POSTGRES, bound: 0.6, means: 'of the bare statements' }],
  open: async (bench) => {
    const { server, devices, bare } = await openOnPostgres(bench, 'confirmation')
    return [await conversed(bench, server, 'confirmation', devices), bare]
  },
}
