import { addressesOf, type FromManyAddresses } from './addresses.ts'
import { answerWithFlow } from './flow.ts'

export interface Refreshing extends FromManyAddresses {
  readonly path: '/api/v1/auth/refresh' | '/api/v1/auth/mobile/refresh'
  readonly refreshToken: string
}

interface Tokens {
  readonly refreshToken: string
}

interface TokenAnswer {
  readonly data: Tokens | { readonly tokens: Tokens }
}

/** Exchanges a refresh token for the next, again and again. */
answerWithFlow<Refreshing>((send, refreshing) => {
  const { path } = refreshing
  const headersFor = addressesOf(refreshing)
  let current = refreshing.refreshToken
  return async () => {
    const { data } = (await send({ method: 'POST', path, headers: headersFor(), body: { refreshToken: current } })) as TokenAnswer
    current = 'tokens' in data ? data.tokens.refreshToken : data.refreshToken
  }
})
