import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import type { Exchange, Session } from '../../session/keep-session.ts'
import type { StoredTokens } from '../../session/token-store.ts'
import { hasCode } from '../../shared/errors/countersign-error.ts'

interface LogoutDeps extends StepDeps {
  readonly session: Session
  readonly exchange: Exchange
}

type LoggedOut = Output<'auth.logout'>

const loggedOut: LoggedOut = { success: true, message: 'Logged out' }

/** Resolves with what `otherwise` gives where a token is refused. */
const unlessRefused = async (answer: Promise<LoggedOut>, otherwise: () => LoggedOut | Promise<LoggedOut>): Promise<LoggedOut> => {
  try {
    return await answer
  } catch (error) {
    if (hasCode(error, 'UNAUTHORIZED')) return otherwise()
    throw error
  }
}

const tellService = (
  { call, inSteps, exchange }: LogoutDeps,
  tokens: StoredTokens,
  options: CallOptions | undefined,
): Promise<LoggedOut> =>
  inSteps(options, (step) => {
    const tell = ({ accessToken: token, refreshToken }: Pick<StoredTokens, 'accessToken' | 'refreshToken'>) =>
      call('auth.logout', { refreshToken }, { ...step, token })
    // An access token that has ended cannot end its session; one more of it can.
    const tellAnew = async () => tell(await exchange(tokens))
    return unlessRefused(tell(tokens), () => unlessRefused(tellAnew(), () => loggedOut))
  })

/**
 * Forgets the tokens at once, whatever happens then, and has the service end the session. Where there is none, or it has
 * ended already, that is as good. Where the store fails, the service is told before that is: tokens that stay in it are good
 * for nothing then.
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
