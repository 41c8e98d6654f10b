import type { Output } from '@countersign/contract'
import type { Call, CallOptions } from '../call.ts'
import { hasCode } from '../errors/countersign-error.ts'
import type { Session } from '../tokens/keep-session.ts'

const loggedOut: Output<'auth.logout'> = { success: true, message: 'Logged out' }

/**
 * Forgets the tokens, whatever happens then, and has the service end the session. Where there is none, or it has ended
 * already, that is as good.
 */
export const logout = async (
  { call, session }: { readonly call: Call; readonly session: Session },
  options?: CallOptions,
): Promise<Output<'auth.logout'>> => {
  const tokens = await session.present().catch(() => session.read())
  await session.end('logout')
  if (tokens === undefined) return loggedOut
  const { accessToken, refreshToken } = tokens
  try {
    return await call('auth.logout', { refreshToken }, { ...options, token: accessToken })
  } catch (error) {
    if (hasCode(error, 'UNAUTHORIZED')) return loggedOut
    throw error
  }
}
