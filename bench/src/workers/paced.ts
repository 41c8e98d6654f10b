import { Pool } from 'undici'
import { answerCalls } from '../harness/calls.ts'
import { latencyOf, type Round } from '../harness/round.ts'
import type { FloodRequest } from './flood.ts'

export interface Pace {
  readonly url: string
  readonly perSecond: number
  readonly requests: readonly FloodRequest[]
  /** True if a 503 response counts as success. */
  readonly mayRefuse: boolean
}

/** More connections than there are requests at any time, so that no request waits for a free one. */
const CONNECTIONS = 256

let send: (turn: number) => Promise<void> = async () => {}
let perSecond = 0

const open = async (pace: Pace): Promise<void> => {
  const pool = new Pool(pace.url, { connections: CONNECTIONS, pipelining: 1 })
  perSecond = pace.perSecond
  send = async (turn) => {
    const request = pace.requests[turn % pace.requests.length]
    if (request === undefined) throw new Error('there is no request')
    const { statusCode, body } = await pool.request({ ...request, headers: { ...request.headers }, body: request.body ?? null })
    await body.dump()
    const isGood = statusCode < 300 || (pace.mayRefuse && statusCode === 503)
    if (!isGood) throw new Error(`${request.path} was answered with ${statusCode}`)
  }
}

/** Sends each request when it is due, regardless of slow responses, and counts its time from then on. */
const round = async (seconds: number): Promise<Round> => {
  const count = Math.ceil(seconds * perSecond)
  const times: number[] = []
  const answers: Promise<void>[] = []
  const begin = performance.now()
  const sendAt = async (turn: number): Promise<void> => {
    const due = begin + (turn * 1000) / perSecond
    await send(turn)
    times.push(performance.now() - due)
  }
  await new Promise<void>((resolve) => {
    const sendDue = (): void => {
      // The first request is due immediately.
      const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1000) + 1)
      while (answers.length < due) answers.push(sendAt(answers.length))
      if (answers.length < count) setTimeout(sendDue, 1)
      else resolve()
    }
    sendDue()
  })
  await Promise.all(answers)
  return { operations: count, seconds: (performance.now() - begin) / 1000, latency: latencyOf(times) }
}

export const methods = { open, round }

answerCalls(methods)
