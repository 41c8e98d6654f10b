import { setTimeout } from 'node:timers/promises'
import { challengeSigner, confirmedAction, type HeldDevice } from '../device.ts'
import { connectTo, type Sent, toText } from '../harness/http.ts'
import { answerCalls } from '../harness/program.ts'
import { inTurn, latencyOf, type Round, repeat } from '../harness/round.ts'

export interface ClientOptions {
  readonly url: string
  readonly connections: number
  /** The operation: the same request again and again, or a conversation in which each response leads to the next request. */
  readonly flow: keyof typeof flows | 'requests'
  /** The beginnings of the conversations: requests, or devices. The connections share them. */
  readonly begin: readonly (HeldDevice | Sent)[]
  /** Requests a second. Missing: each connection sends the next request after a response. */
  readonly perSecond?: number
  /** An error status that counts as success. */
  readonly mayBe?: number
}

type Post = (path: string, body: object, others?: Partial<Sent>) => Promise<Record<string, never>>
type PostForm = (path: string, form: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>
type Step = () => Promise<unknown>

let logins = 0
/** Returns the headers of a request from a new address of 10.0.0.0/8, because the limits of logins count each address. */
const fromNewAddress = () => {
  logins += 1
  return { headers: { 'x-forwarded-for': `10.${(logins >> 16) & 255}.${(logins >> 8) & 255}.${logins & 255}` } }
}

const flows = {
  /** Initiates a confirmation and approves it by the signature of the device. */
  confirmation: (post: Post, { accessToken: token, deviceId, ...device }: HeldDevice): Step => {
    const sign = challengeSigner(device)
    return async () => {
      const { confirmationId, challenge = '' } = await post('confirmation/initiate', confirmedAction, { token })
      await post(`confirmation/${confirmationId}/verify`, { deviceId, signedChallenge: sign(challenge) }, { token })
    }
  },
  login: (post: Post, { deviceFingerprint, ...device }: HeldDevice): Step => {
    const sign = challengeSigner(device)
    return async () => {
      const from = fromNewAddress()
      const { sessionId, challenge = '' } = await post('mobile/challenge', { deviceFingerprint }, from)
      await post('mobile/biometric', { sessionId, signedChallenge: sign(challenge) }, from)
    }
  },
  refresh: (post: Post, { refreshToken }: HeldDevice): Step => {
    let current = refreshToken
    return async () => {
      const { tokens } = await post('mobile/refresh', { refreshToken: current })
      current = (tokens as unknown as HeldDevice).refreshToken
    }
  },
  /** Renews at the token endpoint of OAuth (RFC 6749, section 6), as a public client. */
  oauthRefresh: (_: Post, { refreshToken }: HeldDevice, postForm: PostForm): Step => {
    let current = refreshToken
    return async () => {
      const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: current }
      const { refresh_token: next } = await postForm('/token', form)
      if (next === undefined || next === current) throw new Error('the refresh token was not rotated')
      current = next
    }
  },
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

let work: (seconds: number) => Promise<Round>

export const program = answerCalls(
  async ({ url, connections, flow, begin, perSecond, mayBe }: ClientOptions): Promise<void> => {
    const send = connectTo(url, mayBe)
    const post: Post = async (path, body, others) => {
      const text = await send(toText(url, { method: 'POST', path: `/api/v1/auth/${path}`, body, ...others }))
      return (JSON.parse(text) as { readonly data: Record<string, never> }).data
    }
    const postForm: PostForm = async (path, form) =>
      JSON.parse(await send(toText(url, { method: 'POST', path, form }))) as Readonly<Record<string, string>>
    const repeated = (request: Sent): Step => {
      const text = toText(url, request)
      return () => send(text)
    }
    const all = begin.map((one) => (flow === 'requests' ? repeated(one as Sent) : flows[flow](post, one as HeldDevice, postForm)))
    const each = Array.from({ length: connections }, (_, connection) => {
      const own = all.filter((_, number) => number % connections === connection)
      return inTurn(own.length === 0 ? all : own)
    })
    work = (seconds) => (perSecond === undefined ? repeat(each, seconds) : paced(all, perSecond, seconds))
  },
  (seconds) => work(seconds),
)
