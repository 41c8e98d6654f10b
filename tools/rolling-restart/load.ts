import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The requests to send. */
export interface Load {
  readonly port: number
  readonly token: string
  readonly requests: number
  /** Requests in a second. Each is sent at its time, whether earlier ones are answered or not. */
  readonly rate: number
  /** Whether the client keeps its connections. */
  readonly keepAlive: boolean
}

/** A POST that no proxy repeats. */
const body = '{"deviceFingerprint":"none"}'

/** Sends the requests. Resolves with the number of each outcome: a status, or the code of an error. */
export const sendLoad = async ({ port, token, requests, rate, keepAlive }: Load): Promise<ReadonlyMap<string, number>> => {
  const outcomes = new Map<string, number>()
  const agent = new Agent({ keepAlive })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    'x-service-name': 'billing',
  }
  const ask = () =>
    new Promise<void>((resolve) => {
      const end = (outcome: string) => {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        resolve()
      }
      const fail = (error: NodeJS.ErrnoException) => end(error.code ?? error.message)
      const path = '/api/v1/auth/mobile/challenge'
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.once('end', () => end(String(response.statusCode)))
        response.once('error', fail)
      })
      sent.once('error', fail)
      sent.end(body)
    })
  const asked: Promise<void>[] = []
  const begin = performance.now()
  while (asked.length < requests) {
    const due = Math.min(requests, Math.floor(((performance.now() - begin) / 1000) * rate))
    while (asked.length < due) asked.push(ask())
    await sleep(1)
  }
  await Promise.all(asked)
  agent.destroy()
  return outcomes
}
