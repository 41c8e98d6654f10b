import {
  argon2Hasher,
  type Countersign,
  createCountersign,
  generateKeyRing,
  type PasswordHasher,
  parseKeyRing,
  systemRandom,
} from '@countersign/core'
import { openStorage } from '@countersign/server'
import { confirmedAction } from '../flows/confirmation-steps.ts'
import { type Bench, scaled } from '../harness/bench.ts'
import { challengeSigner, holdDevices } from '../seeds/held-device.ts'
import { CONFIRMATIONS_PER_USER, copyUser } from '../seeds/many-rows.ts'
import type { Growth, GrowthRow } from './benchmark.ts'

const REPEATS = 201
/** Users, each with a session, a device and some confirmations. */
const FEW = 200
const MANY = 1_000_000
const BOUND = { times: 1.5, comparedTo: FEW }

/** Accepts every password, because passwords are not measured. */
const openDoor: PasswordHasher = { ...argon2Hasher(), verify: async () => true, isOutdated: () => false }

type Calls = Readonly<Record<string, () => Promise<unknown>>>

/** Returns the measured calls, in the name of one user with a device. `fill` copies this user. */
const callsOf = async (countersign: Countersign, fill: (userId: number) => Promise<void>): Promise<Calls> => {
  const [device] = await holdDevices(countersign, 1)
  if (device === undefined) throw new Error('no device was made')
  const sign = challengeSigner(device)
  const { deviceId, deviceFingerprint } = device
  const caller = await countersign.auth.authenticate({ token: device.accessToken })
  let { refreshToken } = device
  const approve = async (): Promise<string> => {
    const { id: confirmationId, challenge } = await countersign.confirmations.initiate({ caller, ...confirmedAction })
    await countersign.confirmations.verify({ caller, confirmationId, deviceId, signedChallenge: sign(challenge) })
    return confirmationId
  }
  const approved = await approve()
  await fill(device.userId)
  return {
    'a device logs in': async () => {
      const { id: sessionId, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint })
      await countersign.mobile.finishLogin({ sessionId, signedChallenge: sign(challenge) })
    },
    'a token is refreshed': async () => {
      ;({ refreshToken } = await countersign.mobile.refresh({ refreshToken }))
    },
    'an action is asked for and approved': approve,
    'a confirmation is read': () => countersign.confirmations.status({ caller, confirmationId: approved }),
    'the pending confirmations are listed': () => countersign.confirmations.pending({ caller }),
    'the devices of a user are listed': () => countersign.devices.list({ caller }),
    'a sweep looks for rows to delete': () => countersign.sweep(),
  }
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const openFilled = async (bench: Bench, users: number): Promise<Calls> => {
  const url = await bench.createPostgresDatabase()
  const storage = bench.own(await openStorage(url))
  await storage.migrate()
  const countersign = createCountersign({
    storage,
    jwtKeys: parseKeyRing(generateKeyRing(systemRandom)),
    encryptionKeys: parseKeyRing(generateKeyRing(systemRandom), { exactly: true }),
    passwords: openDoor,
    options: { rateLimits: 'off' },
  })
  bench.tell(`filling a database with ${users.toLocaleString('en')} users`)
  return callsOf(countersign, (userId) => copyUser(url, userId, users))
}

/** Makes a call at each size in turn, A B A B. */
const measureCall = async (what: string, sized: readonly Calls[], repeats: number): Promise<GrowthRow> => {
  const ask = (calls: Calls) => timeOf(calls[what] as () => Promise<unknown>)
  const first: number[] = []
  for (const calls of sized) first.push(await ask(calls))
  const times = sized.map((): number[] => [])
  for (let run = 0; run < repeats; run += 1) {
    for (const [at, calls] of sized.entries()) times[at]?.push(await ask(calls))
  }
  return { what, first, times, bound: BOUND }
}

export const manyRows: Growth = {
  kind: 'growth',
  name: 'many-rows',
  title: 'Calls beside many rows, PostgreSQL',
  about: `Milliseconds for a call through the core, one after another, on a database with this many users; the first time in parentheses. Each user has a session, a device and ${CONFIRMATIONS_PER_USER} confirmations. All writes are durable.`,
  measure: async (bench) => {
    const sizes = [FEW, MANY].map((size) => scaled(bench, size))
    const sized: Calls[] = []
    for (const size of sizes) sized.push(await openFilled(bench, size))
    const rows: GrowthRow[] = []
    for (const what of Object.keys(sized[0] ?? {})) {
      bench.tell(what)
      rows.push(await measureCall(what, sized, scaled(bench, REPEATS)))
    }
    return { sizes, rows }
  },
}
