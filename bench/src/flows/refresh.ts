import { answerWithFlow } from './flow.ts'

export interface Refreshing {
  readonly path: '/api/v1/auth/refresh' | '/api/v1/auth/mobile/refresh'
  readonly refreshToken: string
  /** The number of this conversation, where each request comes from a different address: for servers with rate limits. */
  readonly addresses?: number
}

interface Tokens {
  readonly refreshToken: string
}

interface TokenAnswer {
  readonly data: Tokens | { readonly tokens: Tokens }
}

/** Returns an address of 10.0.0.0/8: a quarter of a million for each of 64 conversations. */
const addressOf = (conversation: number, turn: number): string => {
  const number = conversation * 2 ** 18 + (turn % 2 ** 18)
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

/** Exchanges a refresh token for the next, again and again. */
answerWithFlow<Refreshing>((send, { path, refreshToken, addresses }) => {
  let current = refreshToken
  let turn = 0
  return async () => {
    const headers = addresses === undefined ? {} : { 'x-forwarded-for': addressOf(addresses, turn) }
    turn += 1
    const { data } = (await send({ method: 'POST', path, headers, body: { refreshToken: current } })) as TokenAnswer
    current = 'tokens' in data ? data.tokens.refreshToken : data.refreshToken
  }
})
