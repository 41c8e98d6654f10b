import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../call.ts'
import { hasCode } from '../errors/countersign-error.ts'
import type { Exchange, Session } from '../tokens/keep-session.ts'

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

/**
 * Forgets the tokens at once, whatever happens then, and has the service end the session. Where there is none, or it has
 * ended already, that is as good.
 */
export const logout = async ({ call, inSteps, session, exchange }: LogoutDeps, options?: CallOptions): Promise<LoggedOut> => {
  const tokens = await session.read()
  await session.end('logout')
  if (tokens === undefined) return loggedOut
  return inSteps(options, (step) => {
    const tell = ({ accessToken: token, refreshToken }: Pick<typeof tokens, 'accessToken' | 'refreshToken'>) =>
      call('auth.logout', { refreshToken }, { ...step, token })
    // An access token that has ended cannot end its session; one more of it can.
    const tellAnew = async () => tell(await exchange(tokens))
    return unlessRefused(tell(tokens), () => unlessRefused(tellAnew(), () => loggedOut))
  })
}
