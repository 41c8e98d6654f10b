import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../http/call.ts'
import type { RefreshTokens, Session } from '../session/keep-session.ts'
import type { ChangeEndings, StoredTokens, TokenStore } from '../session/token-store.ts'
import { CountersignError, isUnauthorized } from '../shared/errors/countersign-error.ts'
import { ofWindow } from '../shared/platform.ts'

interface LogoutDeps extends StepDeps {
  readonly store: TokenStore
  readonly session: Session
  readonly refreshTokens: RefreshTokens
}

type LoggedOut = Output<'auth.logout'>

const loggedOut: LoggedOut = { success: true, message: 'Logged out' }

/** The logout of a client. */
export interface Logout {
  /**
   * Forgets the tokens, then asks the service to end the session. A session that has ended already counts as success. If the store
   * fails to forget the tokens, the client still ends the session, so that the stored tokens become useless, and then rejects.
   *
   * @throws CountersignError `LOGOUT_PENDING` if the session could not be ended yet
   */
  logout(options?: CallOptions): Promise<LoggedOut>
  /** Ends the sessions that an earlier logout could not end. */
  endSessions(): void
}

/** Returns whether the refresh token has expired. Only the service's clock is right, so this compares lengths of time. */
const isExpired = ({ renewAt, accessTokenExpiresAt, refreshTokenExpiresAt }: StoredTokens): boolean =>
  Date.now() - renewAt > Date.parse(refreshTokenExpiresAt) - Date.parse(accessTokenExpiresAt)

export const createLogout = ({ call, inSteps, store, session, refreshTokens }: LogoutDeps): Logout => {
  /** The sessions to be ended, for a store that has no place for them. */
  let inMemory: readonly StoredTokens[] = []
  const endings = async (change: ChangeEndings): Promise<readonly StoredTokens[]> => {
    try {
      if (store.endings) return await store.endings(change)
    } catch {
      // The session must end even if the store fails.
    }
    inMemory = change(inMemory)
    return inMemory
  }

  /** Ends a session, and forgets its tokens if it has ended or expired. */
  const endSession = async (tokens: StoredTokens, options: CallOptions | undefined): Promise<void> => {
    const ending = inSteps(options, (step) => {
      const tell = ({ accessToken: token, refreshToken }: Pick<StoredTokens, 'accessToken' | 'refreshToken'>): Promise<unknown> =>
        call('auth.logout', { refreshToken }, { ...step, token })
      // An expired access token cannot end its session, so the client renews the token once.
      return tell(tokens).catch((error: unknown) => {
        if (!isUnauthorized(error)) throw error
        return refreshTokens(tokens).then(tell)
      })
    })
    await ending.catch((error: unknown) => {
      if (!isUnauthorized(error) && !isExpired(tokens)) throw error
    })
    await endings((all) => all.filter(({ refreshToken }) => refreshToken !== tokens.refreshToken))
  }

  /** Tries to end each session that is to be ended. Resolves with the first error. */
  const endAll = async (options?: CallOptions): Promise<unknown> => {
    const left = await endings((all) => all)
    const outcomes = await Promise.allSettled(left.map((tokens) => endSession(tokens, options)))
    const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) ofWindow.addEventListener?.('online', endSessions, { once: true })
    return failed?.reason
  }
  const endSessions = () => void endAll()

  return {
    endSessions,
    logout: async (options) => {
      const tokens = await session.read()
      // Noted first, so that the session ends even if the page is left now.
      if (tokens) await endings((all) => [...all, tokens])
      const [forgotten] = await Promise.allSettled([session.end('logout', tokens)])
      const cause = await endAll(options)
      if (forgotten.status === 'rejected') throw forgotten.reason
      if (cause instanceof CountersignError) {
        throw new CountersignError('Signed out here, but the session could not be ended yet', { code: 'LOGOUT_PENDING', cause })
      }
      // The reason of the caller's signal.
      if (cause !== undefined) throw cause
      return loggedOut
    },
  }
}
