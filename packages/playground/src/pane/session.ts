import { CountersignError } from '@countersign/client-sdk'
import type { Pane, Session } from './pane.ts'

/** A call needs a session, and the pane has none. */
class SignedOut extends Error {
  override readonly name = 'SignedOut'
  constructor() {
    super('Sign in first.')
  }
}

export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
  constructor() {
    super('This session has ended. Sign in again.')
  }
}

class AccessTokenExpired extends Error {
  override readonly name = 'AccessTokenExpired'
  constructor() {
    super('The access token has expired. Refresh it, or sign in again.')
  }
}

/** Returns the session of the pane. @throws SignedOut */
const requireSession = (pane: Pane): Session => {
  const session = pane.session.peek()
  if (session === undefined) throw new SignedOut()
  return session
}

/** Returns the access token of the pane, as call options. @throws SignedOut */
export const bearer = (pane: Pane): { readonly token: string } => ({ token: requireSession(pane).tokens.accessToken })

const isExpired = ({ tokens }: Session): boolean => Date.parse(tokens.accessTokenExpiresAt) <= Date.now()

const isGood = async ({ client }: Pane, { tokens }: Session): Promise<boolean> => {
  try {
    await client.internal.verify({ serviceName: 'playground' }, { token: tokens.accessToken })
    return true
  } catch (error) {
    if (error instanceof CountersignError && error.status === 401) return false
    throw error
  }
}

/**
 * Decides what a failed call means for its session. A 401 can also mean a wrong signature, so the page asks the service whether
 * the token is still valid. If not, the pane is signed out.
 *
 * @returns the failure to show
 */
export const judgeFailure = async (pane: Pane, error: unknown): Promise<unknown> => {
  const session = pane.session.peek()
  if (session === undefined || !(error instanceof CountersignError) || error.status !== 401) return error
  if (isExpired(session)) return new AccessTokenExpired()
  if (await isGood(pane, session)) return error
  if (pane.session.peek() === session) pane.session.value = undefined
  return new SessionEnded()
}

/** Exchanges the refresh token for the next pair. */
export const refreshTokens = async (pane: Pane): Promise<string> => {
  const { refreshToken } = requireSession(pane).tokens
  pane.session.value = { tokens: await pane.client.auth.refresh({ refreshToken }) }
  return 'Tokens refreshed. The spent refresh token must never be used again: that would end the session.'
}

export const signOut = async (pane: Pane): Promise<string> => {
  const { tokens } = requireSession(pane)
  const { message } = await pane.client.auth.logout({ refreshToken: tokens.refreshToken }, { token: tokens.accessToken })
  pane.session.value = undefined
  return message
}
