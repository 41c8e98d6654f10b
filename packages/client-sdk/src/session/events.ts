/** The reason of a sign-out: this client logged out, the service ended the session, or another client removed the tokens. */
export type SignedOutReason = 'logout' | 'ended' | 'elsewhere'

/** The event of a sign-out. */
export interface SignedOutEvent {
  readonly reason: SignedOutReason
}

/** The event of another user in the store. */
export interface UserEvent {
  /** The user who is signed in now. */
  readonly userId: number
}

/** The events of a client. */
export interface ClientEvents {
  /** The session ended: once for each session, whatever ended it. */
  readonly signedOut: SignedOutEvent
  /** Nobody was signed in, and a user signed in elsewhere, such as in another tab. */
  readonly signedIn: UserEvent
  /** This client signed a user in, by a login or by tokens that it adopted. */
  readonly loggedIn: UserEvent
  /** Another user signed in elsewhere. All calls reject with `USER_CHANGED` until this client logs in. */
  readonly userChanged: UserEvent
  /** The store cannot keep tokens: the session ends when the page is closed. */
  readonly notKept: { readonly userId?: never }
}

export type Listener<E extends keyof ClientEvents> = (event: ClientEvents[E]) => void

export interface Listeners {
  /** Adds a listener. Returns a function that removes it, and that returns whether listeners are left. */
  on<E extends keyof ClientEvents>(name: E, listener: Listener<E>): () => boolean
  /** Calls the listeners of an event; each listener of `notKept` once, because a store does not recover. */
  emit<E extends keyof ClientEvents>(name: E, event: ClientEvents[E]): void
}

export const createListeners = (): Listeners => {
  const all = new Set<readonly [string, (event: never) => void]>()
  return {
    on: (name, listener) => {
      const entry = [name, listener] as const
      all.add(entry)
      return () => {
        all.delete(entry)
        return all.size > 0
      }
    },
    emit: (name, event) => {
      // An error of a listener must not break the call in which the event happened.
      for (const entry of all) {
        if (entry[0] !== name) continue
        void Promise.resolve(event as never).then(entry[1])
        if (name === 'notKept') all.delete(entry)
      }
    },
  }
}
