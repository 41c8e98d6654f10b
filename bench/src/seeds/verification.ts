import type { Countersign } from '@countersign/core'
import type { FloodRequest } from '../workers/flood.ts'

/** How a service asks about a token. */
export const verification = (token: string): FloodRequest => ({
  method: 'GET',
  path: '/internal/verify',
  headers: { authorization: `Bearer ${token}`, 'x-service-name': 'bench' },
})

/** Headers that Node adds to every answer by itself. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** A server's own answer, for a bare route to send. */
export const answerOf = async (url: string, { method, path, headers, body }: FloodRequest) => {
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  const own = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
  return { path, headers: Object.fromEntries(own), body: await answer.text() }
}

/**
 * More access tokens of live sessions than any server remembers: each refresh gives one. The core must be one on which
 * rotations are not kept, so that the same refresh token can be spent again.
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
