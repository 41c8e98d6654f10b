import { CountersignError } from '../shared/errors/countersign-error.ts'
import { claimsOf } from './claims.ts'
import type { Listeners, SignedOutReason } from './events.ts'
import type { StoredTokens } from './token-store.ts'

/** The user for whom a client calls: the user whom its page shows. */
export interface ShownUser {
  /** Records the state of the store, and reports each change once. @throws CountersignError `USER_CHANGED` */
  note(tokens: StoredTokens | undefined, reason: SignedOutReason): void
  /** Records a login of this client. */
  begin(tokens: StoredTokens): void
  /** Runs a call of the user. @throws CountersignError `USER_CHANGED` as soon as another user is signed in */
  during<T>(run: () => Promise<T>): Promise<T>
}

/** Returns the user of tokens, or `other` if the token does not say. */
const userOf = ({ accessToken }: StoredTokens, other = 0): number => claimsOf(accessToken).id ?? other

const userChanged = () => new CountersignError('Another user has signed in', { code: 'USER_CHANGED' })

export const showUser = ({ emit }: Listeners): ShownUser => {
  /** The functions that reject the calls under way. */
  const underWay = new Set<(error: Error) => void>()
  let isKnown = false
  /** The user of the tokens in the store, and the user of this client; `undefined` for nobody. */
  let stored: number | undefined
  let shown: number | undefined

  return {
    note: (tokens, reason) => {
      const before = stored
      const isFirst = !isKnown
      isKnown = true
      stored = tokens && userOf(tokens, before)
      if (stored === undefined) {
        shown = undefined
        if (before !== undefined) emit('signedOut', { reason })
      } else if (shown === undefined) {
        shown = stored
        if (!isFirst) emit('signedIn', { userId: shown })
      } else if (stored !== shown) {
        if (stored !== before) {
          emit('userChanged', { userId: stored })
          for (const reject of underWay) reject(userChanged())
        }
        throw userChanged()
      }
    },
    begin: (tokens) => {
      isKnown = true
      stored = userOf(tokens)
      shown = stored
      emit('loggedIn', { userId: shown })
    },
    during: (run) =>
      new Promise((resolve, reject) => {
        underWay.add(reject)
        run()
          .then(resolve, reject)
          .finally(() => underWay.delete(reject))
      }),
  }
}
