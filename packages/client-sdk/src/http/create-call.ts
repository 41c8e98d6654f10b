import type { Input, OperationName, Output } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import { keepSession, type RefreshTokens, type Session } from '../session/keep-session.ts'
import type { StoredTokens, TokenStore } from '../session/token-store.ts'
import { isUnauthorized } from '../shared/errors/countersign-error.ts'
import { within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import type { Call, CallOptions } from './call.ts'
import { type Sender, send } from './send.ts'
import { type OperationRow, toRequest } from './to-request.ts'

/** The operations that open a session, and the kind of each session. */
const opens: { readonly [N in OperationName]?: StoredTokens['kind'] } = {
  'auth.login': 'standard',
  'password.redeem': 'standard',
  'passkeys.finishLogin': 'standard',
  'mobile.finishLogin': 'biometric',
}

/** The operation that renews each kind of session. */
const renews = { standard: 'auth.refresh', biometric: 'mobile.refresh' } as const

type TokenPair = Output<'auth.login'>

/** Returns the token pair of an output. A device login wraps its pair. */
const pairOf = (output: TokenPair | { readonly tokens: TokenPair }): TokenPair => ('tokens' in output ? output.tokens : output)

/** The operations of a session whose 401 can also mean a wrong signature. */
const signed: readonly OperationName[] = ['devices.finishRegistration', 'passkeys.finishRegistration', 'confirmations.verify']

/** Returns whether the service refused the token, not a signature: it checks the token first, and may give no code for it. */
const isTokenRefused = (name: OperationName, error: unknown): boolean =>
  isUnauthorized(error) && (error.serviceCode ? error.serviceCode === 'invalid_access_token' : !signed.includes(name))

/** The longest time of a renewal's request, because other calls and tabs wait. Its answer is repeated for a minute. */
const REFRESH_TIMEOUT: Milliseconds = 30_000

export interface CallKit {
  readonly call: Call
  readonly session: Session
  readonly refreshTokens: RefreshTokens
  /** Begins a session. A session whose tokens cannot be stored is ended. @throws the error of the store */
  readonly begin: Session['begin']
}

/** Makes the function that every call passes through, with token, time limit, retries and renewals. */
export const createCall = (sender: Sender, store: TokenStore, defaultTimeout: Milliseconds): CallKit => {
  /** Runs without a caller's signal, because several calls can wait for the same renewal. */
  const refreshTokens: RefreshTokens = ({ kind, refreshToken, renewalKey }, untilLeft) =>
    within(Math.min(defaultTimeout, REFRESH_TIMEOUT), untilLeft, async (signal) => {
      const layout = toRequest(operations[renews[kind]], { refreshToken, renewalKey })
      return pairOf((await send(sender, renews[kind], layout, undefined, signal)) as TokenPair)
    })
  const session = keepSession(store, refreshTokens)

  const begin: Session['begin'] = async (kind, pair) => {
    try {
      await within(defaultTimeout, undefined, () => session.begin(kind, pair))
    } catch (error) {
      const { accessToken: token, refreshToken } = pair
      await call('auth.logout', { refreshToken }, { token }).catch(() => undefined)
      throw error
    }
  }

  const call = async <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions): Promise<Output<N>> => {
    const { token, signal, timeout = defaultTimeout } = { ...options }
    const row: OperationRow = operations[name]
    // Checks the input first, because an input that cannot be sent must not cause a renewal of the tokens.
    const layout = toRequest(row, input)
    const isWithoutSession = row.authentication === 'none' || token !== undefined
    const output = await within(timeout, signal, (stop) => {
      const sendWith = (presented: string | undefined) => send(sender, name, layout, presented, stop)
      if (isWithoutSession) return sendWith(token)
      return session.asUser(async () => {
        const tokens = await session.present(timeout)
        try {
          return await sendWith(tokens?.accessToken)
        } catch (error) {
          // Repeats only once: if a new token is refused, a further one would be refused too.
          const next = tokens && isTokenRefused(name, error) ? await session.replace(tokens) : undefined
          if (next === undefined) throw error
          return sendWith(next.accessToken)
        }
      })
    })
    const kind = opens[name]
    const pair = kind && pairOf(output as TokenPair)
    // A code sets a password without signing in, unless the caller asks for it.
    if (kind && pair?.accessToken) await begin(kind, pair)
    return output as Output<N>
  }

  return { call, session, refreshTokens, begin }
}
