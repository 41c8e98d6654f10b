import { CountersignError } from '@countersign/client-sdk'
import { pane, type Session } from './pane.ts'

export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
}

/** Returns the session of the pane. @throws Error if the pane is signed out */
const requireSession = (): Session => {
  const session = pane.session.peek()
  if (session === undefined) throw new Error('Sign in first.')
  return session
}

/** Returns the access token of the pane, as call options. @throws Error if the pane is signed out */
export const bearer = (): { readonly token: string } => ({ token: requireSession().tokens.accessToken })

const isExpired = ({ tokens }: Session): boolean => Date.parse(tokens.accessTokenExpiresAt) <= Date.now()

const isGood = async ({ tokens }: Session): Promise<boolean> => {
  try {
    await pane.client.internal.introspect({ serviceName: 'playground' }, { token: tokens.accessToken })
    return true
  } catch (error) {
    if (error instanceof CountersignError && error.status === 401) return false
    throw error
  }
}

/** Returns the failure to show. A 401 can mean a wrong signature too, so the page signs out only if the token is invalid. */
export const judgeFailure = async (error: unknown): Promise<unknown> => {
  const session = pane.session.peek()
  if (session === undefined || !(error instanceof CountersignError) || error.status !== 401) return error
  if (isExpired(session)) return new Error('The access token has expired. Refresh it, or sign in again.')
  if (await isGood(session)) return error
  if (pane.session.peek() === session) pane.session.value = undefined
  return new SessionEnded('This session has ended. Sign in again.')
}

export const refreshTokens = async (): Promise<string> => {
  const { refreshToken } = requireSession().tokens
  pane.session.value = { tokens: await pane.client.auth.refresh({ refreshToken }) }
  return 'Tokens refreshed. The spent refresh token must never be used again: that would end the session.'
}

export const signOut = async (): Promise<string> => {
  const { tokens } = requireSession()
  const { message } = await pane.client.auth.logout({ refreshToken: tokens.refreshToken }, { token: tokens.accessToken })
  pane.session.value = undefined
  return message
}
