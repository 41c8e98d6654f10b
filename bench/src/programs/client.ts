import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { connectTo, type Sent, toText } from '../harness/http.ts'
import { answerCalls } from '../harness/program.ts'
import { latencyOf, type Round, repeat } from '../harness/round.ts'
import { challengeSigner, confirmedAction, type HeldDevice } from '../seeds.ts'

export interface ClientOptions {
  readonly url: string
  readonly connections: number
  /** The operation: the same request again and again, or a conversation in which each response leads to the next request. */
  readonly flow: keyof typeof flows
  /** A JSON file with the beginnings of the conversations: requests, or devices. The connections share them. */
  readonly file: string
  /** Requests a second. Missing: each connection sends the next request after a response. */
  readonly perSecond?: number
  /** A status of errors that counts as success. */
  readonly mayBe?: number
}

/** A device in a conversation; or a session by password, whose refresh token is renewed. */
type Begin = HeldDevice & {
  /** A number for a user whose requests come from many addresses, from 0 to 2047. */
  readonly addresses?: number
}

type Send = (request: Sent) => Promise<Record<string, never>>
type Step = () => Promise<unknown>

/** Addresses of 10.0.0.0/8 for each of 2,048 users. */
const ADDRESSES = 2 ** 13

/**
 * Returns a function whose every call returns the headers of a request from another client address. Servers with rate limits would
 * refuse so many requests from one address.
 */
const addressesOf = ({ addresses }: Begin): (() => Readonly<Record<string, string>>) => {
  let turn = 0
  return () => {
    if (addresses === undefined) return {}
    const number = addresses * ADDRESSES + (turn % ADDRESSES)
    turn += 1
    return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
  }
}

/** Initiates a confirmation and approves it by the signature of the device. */
const confirming = (send: Send, { accessToken: token, deviceId, ...device }: Begin): Step => {
  const signChallenge = challengeSigner(device)
  return async () => {
    const initiation = { method: 'POST', path: '/api/v1/auth/confirmation/initiate', token, body: confirmedAction } as const
    const { confirmationId, challenge = '' } = await send(initiation)
    const body = { deviceId, signedChallenge: signChallenge(challenge) }
    await send({ method: 'POST', path: `/api/v1/auth/confirmation/${confirmationId}/verify`, token, body })
  }
}

const flows = {
  confirmation: confirming,
  deviceLogin: (send: Send, begin: Begin): Step => {
    const [signChallenge, headersFor] = [challengeSigner(begin), addressesOf(begin)]
    const { deviceFingerprint } = begin
    return async () => {
      // Both requests come from one address.
      const [method, headers] = ['POST' as const, headersFor()]
      const asked = await send({ method, path: '/api/v1/auth/mobile/challenge', headers, body: { deviceFingerprint } })
      const body = { sessionId: asked.sessionId, signedChallenge: signChallenge(asked.challenge ?? '') }
      await send({ method, path: '/api/v1/auth/mobile/biometric', headers, body })
    }
  },
  refresh: (send: Send, begin: Begin): Step => {
    const headersFor = addressesOf(begin)
    const path = `/api/v1/auth/${typeof begin.privateKey === 'string' ? 'mobile/' : ''}refresh`
    let { refreshToken } = begin
    return async () => {
      const data = await send({ method: 'POST', path, headers: headersFor(), body: { refreshToken } })
      ;({ refreshToken } = (data['tokens'] ?? data) as unknown as HeldDevice)
    }
  },
  requests: undefined,
} as const

/** Sends each request when it is due, regardless of slow responses, and counts its time from then on. */
const paced = async (steps: readonly Step[], perSecond: number, seconds: number): Promise<Round> => {
  const count = Math.ceil(seconds * perSecond)
  const times: number[] = []
  const answers: Promise<void>[] = []
  const begin = performance.now()
  const sendAt = async (turn: number): Promise<void> => {
    await steps[turn % steps.length]?.()
    times.push(performance.now() - begin - (turn * 1000) / perSecond)
  }
  while (answers.length < count) {
    // The first request is due immediately.
    const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1000) + 1)
    while (answers.length < due) answers.push(sendAt(answers.length))
    await setTimeout(1)
  }
  await Promise.all(answers)
  return { operations: count, seconds: (performance.now() - begin) / 1000, latency: latencyOf(times) }
}

let steps: readonly Step[] = []
let pace: number | undefined

/** Lets the steps take turns. */
const inTurn = (all: readonly Step[]): Step => {
  let turn = -1
  return async () => {
    turn += 1
    await all[turn % all.length]?.()
  }
}

export const program = answerCalls({
  open: async ({ url, connections, flow, file, perSecond, mayBe }: ClientOptions): Promise<void> => {
    const sendText = connectTo(url, connections, mayBe)
    const send: Send = async (request) => {
      const { data } = JSON.parse(await sendText(toText(url, request))) as { readonly data: Record<string, never> }
      return data
    }
    const begin = JSON.parse(readFileSync(file, 'utf8')) as readonly (Begin & Sent)[]
    const repeated = (_: Send, request: Sent): Step => {
      const text = toText(url, request)
      return () => sendText(text)
    }
    const converse = flows[flow] ?? repeated
    const all = begin.map((one) => converse(send, one))
    pace = perSecond
    steps =
      perSecond === undefined
        ? Array.from({ length: connections }, (_, connection) => {
            const own = all.filter((_, number) => number % connections === connection)
            return inTurn(own.length === 0 ? all : own)
          })
        : all
  },
  round: (seconds: number) => (pace === undefined ? repeat(steps, seconds) : paced(steps, pace, seconds)),
})
