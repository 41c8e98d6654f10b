import type { Bench } from '../harness/bench.ts'
import { limit } from '../harness/contenders.ts'
import { fillDatabase } from '../harness/database.ts'
import type { methods } from '../raw/postgres.ts'
import { holdDevices } from '../seeds/held-device.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'

const CONVERSATIONS = 64

export const POSTGRES = 'Countersign, PostgreSQL'
export const RAW_POSTGRES = 'raw pg, the same statements'

/** Opens a server and the bare driver, each on a database of its own with the same data. */
export const openOnPostgres = async (bench: Bench, what: 'refresh' | 'confirmation') => {
  const fill = async () =>
    fillDatabase(await bench.createPostgresDatabase(), ({ countersign }) => holdDevices(countersign, CONVERSATIONS))
  const [ours, raw] = [await fill(), await fill()]
  const { database } = ours
  const server = await startCountersign(bench, database, noRateLimits)
  const options = { url: raw.database.url, what, devices: raw.filled }
  return {
    server: { name: POSTGRES, ...server },
    devices: ours.filled,
    bare: await limit<typeof methods>(bench, RAW_POSTGRES, 'postgres', options),
  }
}
