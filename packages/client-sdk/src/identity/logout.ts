import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../http/call.ts'
import { alone } from '../session/alone.ts'
import type { RefreshTokens, Session } from '../session/keep-session.ts'
import { isExpired, receiveTokens } from '../session/receive-tokens.ts'
import { nextRenewalKey } from '../session/renewal-key.ts'
import { soon } from '../session/token-chain.ts'
import type { ChangeEndings, StoredTokens, TokenStore } from '../session/token-store.ts'
import { CountersignError, isUnauthorized } from '../shared/errors/countersign-error.ts'
import { ofWindow } from '../shared/platform.ts'
import type { Milliseconds } from '../shared/time/units.ts'

interface LogoutDeps extends StepDeps {
  readonly store: TokenStore
  readonly session: Session
  readonly refreshTokens: RefreshTokens
}

type LoggedOut = Output<'auth.logout'>

/** The longest wait of a logout for another tab that ends sessions. */
const LOGOUT_PATIENCE: Milliseconds = 1000

const loggedOut: LoggedOut = { success: true, message: 'Logged out' }

export interface Logout {
  /**
   * Forgets the tokens, then asks the service to end the session, which may have ended. If the store fails to forget them, ends the
   * session too, and then rejects. @throws CountersignError `LOGOUT_PENDING` if the session could not be ended yet
   */
  logout(options?: CallOptions): Promise<LoggedOut>
  /** Ends the sessions that an earlier logout could not end, unless another tab is ending them. */
  endSessions(): void
}

export const createLogout = ({ call, inSteps, store, session, refreshTokens }: LogoutDeps): Logout => {
  /** The sessions to be ended, for a store that has no place for them. */
  let inMemory: readonly StoredTokens[] = []
  const endings = async (change: ChangeEndings): Promise<readonly StoredTokens[]> => {
    try {
      const { endings } = store
      if (endings) return await soon(() => endings(change))
    } catch {
      // The session must end even if the store fails.
    }
    inMemory = change(inMemory)
    return inMemory
  }

  /** Ends a session, and forgets its tokens if it has ended or expired. */
  const endSession = async (noted: StoredTokens, options: CallOptions | undefined): Promise<void> => {
    let tokens = noted
    /** Replaces the noted tokens, or removes them for `undefined`. */
    const note = (next: readonly StoredTokens[]) =>
      endings((all) => all.flatMap((one) => (one.refreshToken === tokens.refreshToken ? next : one)))
    const ending = inSteps(options, async (step) => {
      const tell = () => call('auth.logout', { refreshToken: tokens.refreshToken }, { ...step, token: tokens.accessToken })
      try {
        await tell()
      } catch (error) {
        if (!isUnauthorized(error)) throw error
        // An expired access token cannot end its session, so the client renews the tokens once. It notes the new tokens, because
        // another use of the old refresh token would look like a theft.
        const pair = await refreshTokens(tokens)
        const renewalKey = await nextRenewalKey(tokens.renewalKey, pair.refreshToken)
        const next = { ...receiveTokens(tokens.kind, pair), renewalKey }
        await note([next])
        tokens = next
        await tell()
      }
    })
    await ending.catch((error: unknown) => {
      if (!isUnauthorized(error) && !isExpired(tokens)) throw error
    })
    await note([])
  }

  /** Tries to end each session that is to be ended. Resolves with the first error. */
  const endAll = async (options?: CallOptions): Promise<unknown> => {
    const left = await endings((all) => all)
    const outcomes = await Promise.allSettled(left.map((tokens) => endSession(tokens, options)))
    const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) ofWindow.addEventListener?.('online', () => void endSessions(), { once: true })
    return failed?.reason
  }

  const lock = store.name && `countersign:${store.name}:endings`
  let isEnding = false
  const endSessions = async () => {
    if (isEnding) return
    isEnding = true
    // A page that is left tries again when it comes back.
    await alone(lock, 0, () => endAll()).catch(() => undefined)
    isEnding = false
  }

  const logout = async (options: CallOptions | undefined): Promise<LoggedOut> => {
    const tokens = await session.readWithKey()
    // Noted first, so that the session ends even if the page is left now.
    if (tokens) await endings((all) => [...all.filter(({ refreshToken }) => refreshToken !== tokens.refreshToken), tokens])
    const [forgotten] = await Promise.allSettled([session.end('logout', tokens)])
    const cause = await endAll(options)
    if (forgotten.status === 'rejected') throw forgotten.reason
    if (cause instanceof CountersignError) {
      throw new CountersignError('Signed out here, but the session could not be ended yet', { code: 'LOGOUT_PENDING', cause })
    }
    // The reason of the caller's signal.
    if (cause !== undefined) throw cause
    return loggedOut
  }

  return {
    endSessions: () => void endSessions(),
    // Under the lock, so that no other tab ends the same session.
    logout: async (options) => (await alone(lock, LOGOUT_PATIENCE, () => logout(options))) ?? loggedOut,
  }
}
