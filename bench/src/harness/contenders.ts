import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlowMethods } from '../flows/flow.ts'
import type { FloodRequest, methods as floodMethods } from '../workers/flood.ts'
import type { Bench } from './bench.ts'
import type { Methods } from './calls.ts'
import type { Contender } from './contender.ts'
import type { Round } from './round.ts'

/** A server that receives requests from another process. */
export interface Driven {
  readonly name: string
  readonly url: string
  readonly pid: number
}

const CONNECTIONS = 64
let files = 0

/** Returns a server that receives the same requests again and again, as fast as it responds. */
export const flooded = async (
  bench: Bench,
  { name, url, pid }: Driven,
  requests: readonly FloodRequest[],
  connections = CONNECTIONS,
): Promise<Contender> => {
  files += 1
  const requestsFile = join(bench.directory, `requests-${files}.json`)
  writeFileSync(requestsFile, JSON.stringify(requests))
  const driver = bench.startWorker<typeof floodMethods>('workers/flood.ts')
  await driver.call('open', { url, connections, requestsFile, wrk: bench.wrk })
  return { name, pid, round: (seconds) => driver.call('round', seconds) }
}

/** Returns a server in conversations on up to 64 connections: each response leads to the next request. */
export const conversed = async <C>(
  bench: Bench,
  { name, url, pid }: Driven,
  flow: 'refresh' | 'device-login' | 'confirmation' | 'redemption',
  conversations: readonly C[],
): Promise<Contender> => {
  const driver = bench.startWorker<FlowMethods<C>>(`flows/${flow}.ts`)
  await driver.call('open', { url, conversations, connections: Math.min(CONNECTIONS, conversations.length) })
  return { name, pid, round: (seconds) => driver.call('round', seconds) }
}

interface Limit extends Methods {
  readonly open: (options: never) => Promise<void>
  readonly round: (seconds: number) => Promise<Round>
}

/** Returns a process that does the bare work by itself. */
export const limit = async <M extends Limit>(
  bench: Bench,
  name: string,
  script: 'argon2' | 'rotation-sqlite' | 'device-sqlite' | 'postgres' | 'create-sqlite' | 'insert-sqlite',
  options: Parameters<M['open']>[0],
): Promise<Contender> => {
  const worker = bench.startWorker<M>(`raw/${script}.ts`)
  await worker.call('open', options)
  return { name, pid: worker.pid, round: (seconds) => worker.call('round', seconds) as Promise<Round> }
}
