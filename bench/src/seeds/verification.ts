import type { Countersign } from '@countersign/core'
import type { FloodRequest } from '../workers/flood.ts'

/** The request with which a service verifies a token. */
export const verification = (token: string): FloodRequest => ({
  method: 'GET',
  path: '/internal/verify',
  headers: { authorization: `Bearer ${token}`, 'x-service-name': 'bench' },
})

/** Headers that Node adds to every response. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** Returns the response of a server, for a bare route to send. */
export const answerOf = async (url: string, { method, path, headers, body }: FloodRequest) => {
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  const own = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
  return { path, headers: Object.fromEntries(own), body: await answer.text() }
}

/**
 * Creates more access tokens of live sessions than any server caches, one for each refresh. The core must not store
 * rotations, so that a refresh token can be used again.
 */
export const mintAccessTokens = async (
  { auth }: Pick<Countersign, 'auth'>,
  refreshTokens: readonly string[],
  count: number,
): Promise<readonly string[]> => {
  const tokens: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { accessToken } = await auth.refresh({ refreshToken: refreshTokens[number % refreshTokens.length] ?? '' })
    tokens.push(accessToken)
  }
  return tokens
}
