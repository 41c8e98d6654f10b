import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import autocannon, { type Options, type Result } from 'autocannon'
import { answerCalls } from '../harness/calls.ts'
import type { Round } from '../harness/round.ts'
import { runWrk } from './wrk.ts'

/** A request that is sent unchanged again and again. */
export interface FloodRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Flood {
  readonly url: string
  readonly connections: number
  /**
   * A JSON file with a list of `FloodRequest`. The connections share the list and send its requests in turn, again and again.
   */
  readonly requestsFile: string
  /** True if `wrk` sends the requests instead of autocannon. */
  readonly wrk: boolean
}

let flood: Flood | undefined
let requests: readonly FloodRequest[] = []

const open = async (given: Flood): Promise<void> => {
  flood = given
  requests = JSON.parse(readFileSync(given.requestsFile, 'utf8')) as FloodRequest[]
}

/** Returns the requests of a connection: its own share of many requests, or all of a few. */
const shareOf = (connection: number, connections: number): readonly FloodRequest[] =>
  requests.length < connections ? requests : requests.filter((_, index) => index % connections === connection)

/** Seconds after which autocannon gives up a request. */
const LONGEST_RESPONSE = 10

/** Sends requests for this time, and until the first response: on a busy machine a short time may end without any. */
const send = (options: Options, seconds: number): Promise<Result> =>
  new Promise((resolve, reject) => {
    const bounds = { duration: seconds + LONGEST_RESPONSE, timeout: LONGEST_RESPONSE }
    const run = autocannon({ ...options, ...bounds }, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    const isAnswered = new Promise<void>((answered) => void run.once('response', () => answered()))
    void Promise.all([setTimeout(seconds * 1000), isAnswered]).then(() => run.stop())
  })

const round = async (seconds: number): Promise<Round> => {
  if (flood === undefined) throw new Error('no flood is open')
  const { url, connections } = flood
  if (flood.wrk) return runWrk(flood, requests, seconds)
  let connection = 0
  const options: Options = {
    url,
    connections,
    // The rates within a round are not used, so they are sampled rarely.
    sampleInt: 1000,
    setupClient: (client) => {
      client.setRequests(shareOf(connection, connections).map((request) => ({ ...request, headers: { ...request.headers } })))
      connection += 1
    },
  }
  const result = await send(options, seconds)
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`)
  return {
    operations: result.requests.total,
    seconds: result.duration,
    latency: { p50: result.latency.p50, p99: result.latency.p99 },
  }
}

export const methods = { open, round }

answerCalls(methods)
