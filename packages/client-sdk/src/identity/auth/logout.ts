import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import type { RefreshTokens, Session } from '../../session/keep-session.ts'
import type { StoredTokens } from '../../session/token-store.ts'
import { hasCode } from '../../shared/errors/countersign-error.ts'

interface LogoutDeps extends StepDeps {
  readonly session: Session
  readonly refreshTokens: RefreshTokens
}

type LoggedOut = Output<'auth.logout'>

const loggedOut: LoggedOut = { success: true, message: 'Logged out' }

/** Resolves with the result of `otherwise` if the service refuses the token. */
const unlessRefused = async (answer: Promise<LoggedOut>, otherwise: () => LoggedOut | Promise<LoggedOut>): Promise<LoggedOut> => {
  try {
    return await answer
  } catch (error) {
    if (hasCode(error, 'UNAUTHORIZED')) return otherwise()
    throw error
  }
}

const tellService = (
  { call, inSteps, refreshTokens }: LogoutDeps,
  tokens: StoredTokens,
  options: CallOptions | undefined,
): Promise<LoggedOut> =>
  inSteps(options, (step) => {
    const tell = ({ accessToken: token, refreshToken }: Pick<StoredTokens, 'accessToken' | 'refreshToken'>) =>
      call('auth.logout', { refreshToken }, { ...step, token })
    // An expired access token cannot end its session, so the client renews the token once.
    const tellAnew = async () => tell(await refreshTokens(tokens))
    return unlessRefused(tell(tokens), () => unlessRefused(tellAnew(), () => loggedOut))
  })

/**
 * Forgets the tokens, then asks the service to end the session. A session that has ended already counts as success. If the
 * store fails to forget the tokens, the client still ends the session, so that the stored tokens become useless, and then
 * rejects.
 */
export const logout = async (deps: LogoutDeps, options?: CallOptions): Promise<LoggedOut> => {
  const { session } = deps
  const tokens = await session.read()
  const [forgotten] = await Promise.allSettled([session.end('logout', tokens)])
  const telling = tokens === undefined ? Promise.resolve(loggedOut) : tellService(deps, tokens, options)
  if (forgotten.status === 'fulfilled') return telling
  await telling.catch(() => undefined)
  throw forgotten.reason
}
