import type { LiveEvent } from '@countersign/contract'
import type { Client, LiveClient } from '../client.ts'
import type { UserEvent } from '../session/events.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** The time between two reads of a client without `events`, far below the rate limits. */
const INTERVAL: Milliseconds = 5000
/** The time for which a value that nobody shows is kept: React may be about to show it, or to show it again. */
const KEPT: Milliseconds = 5000

/** The last answer of the service, and the error of the last attempt. */
export interface Shown<T> {
  /** The answer of the service; `undefined` until it arrives, and after somebody else has signed in. */
  readonly data: T | undefined
  /** The error of the last attempt; `undefined` after a success. */
  readonly error: Error | undefined
}

/** How a value is read, and when again. */
export interface Source<T> {
  /** Tells the values of a client apart. */
  readonly key: string
  read(client: Client): Promise<T>
  /** Returns whether the event may have changed the value. */
  hears(event: LiveEvent): boolean
  /** Whether a client without `events` reads again and again. */
  readonly polls: boolean
  /** Returns whether the value stays as it is, so that nothing needs to be read again. */
  isFinal?(data: T): boolean
  /** The value while nobody is signed in. */
  readonly signedOut?: T
}

/** A value of the service that all components of a page share. */
export interface LiveValue<T> {
  /** Follows the value until the returned function is called. */
  subscribe(onChange: () => void): () => void
  shown(): Shown<T>
  /** Resolves at the end of the read that is under way, or of a new one. */
  load(): Promise<void>
  /** Reads again, also if a read is under way. */
  reload(): Promise<void>
}

export const unread: Shown<never> = { data: undefined, error: undefined }

const follow = <T>(client: Client | LiveClient, source: Source<T>, first: T | undefined, forget: () => void): LiveValue<T> => {
  const live = 'events' in client ? client.events : undefined
  const listeners = new Set<() => void>()
  let shown: Shown<T> = first === undefined ? unread : { data: first, error: undefined }
  let reading: Promise<void> | undefined
  let isStale = true
  /** Counts the changes of the session, because nobody may see what another user has read. */
  let session = 0
  /** The user of the session, as far as an event has said. */
  let user: number | undefined
  let stops: readonly (() => void)[] = []

  const show = (next: Shown<T>): void => {
    // A component that gets the same object does not render again.
    const isSame = JSON.stringify(next.data) === JSON.stringify(shown.data)
    if (isSame && next.error === shown.error) return
    shown = isSame ? { ...next, data: shown.data } : next
    for (const listener of listeners) listener()
  }

  const readUntilFresh = async (): Promise<void> => {
    do {
      isStale = false
      const before = session
      const next = await source.read(client).then(
        (data) => ({ data, error: undefined }),
        (error: Error) => ({ data: shown.data, error }),
      )
      if (before === session) show(next)
      else isStale = true
    } while (isStale)
  }

  const forgetLater = (): void => {
    setTimeout(() => {
      if (listeners.size === 0) forget()
    }, KEPT)
  }

  const load = (): Promise<void> => {
    reading ??= readUntilFresh().finally(() => {
      reading = undefined
      if (listeners.size === 0) forgetLater()
    })
    return reading
  }

  const reload = (): Promise<void> => {
    isStale = true
    return load()
  }

  const again = (): void => {
    if (shown.data === undefined || !source.isFinal?.(shown.data)) void reload()
  }

  const signOut = (): void => {
    session++
    user = undefined
    show({ data: source.signedOut, error: undefined })
  }

  const signIn = ({ userId }: UserEvent): void => {
    session++
    // The next session of the same user keeps the screen. Another user must not see it. Before an event, the user is unknown.
    if (userId !== user && shown.data !== source.signedOut) show(unread)
    user = userId
    void reload()
  }

  const poll = (): (() => void) => {
    const timer = setInterval(() => {
      if (!document.hidden) again()
    }, INTERVAL)
    return () => clearInterval(timer)
  }

  const watch = (): void => {
    stops = [
      client.on('signedOut', signOut),
      ...(['signedIn', 'loggedIn', 'userChanged'] as const).map((event) => client.on(event, signIn)),
      live ? live.on((event) => void (source.hears(event) && again())) : source.polls ? poll() : () => {},
    ]
  }

  return {
    subscribe: (onChange) => {
      const listener = () => onChange()
      listeners.add(listener)
      if (listeners.size === 1) {
        watch()
        // Live events begin with `read_again`.
        if (isStale && !(live && source.hears({ type: 'read_again' }))) void load()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        for (const stop of stops) stop()
        // Changes are missed while no component follows the value.
        isStale = true
        forgetLater()
      }
    },
    shown: () => shown,
    load,
    reload,
  }
}

const values = new WeakMap<Client, Map<string, LiveValue<unknown>>>()

/** Returns the value of a client, the same for all components. */
export const liveValue = <T>(client: Client, source: Source<T>, first?: T): LiveValue<T> => {
  const ofClient = values.get(client) ?? new Map<string, LiveValue<unknown>>()
  values.set(client, ofClient)
  const present = ofClient.get(source.key) as LiveValue<T> | undefined
  if (present) return present
  const begun = follow(client, source, first, () => ofClient.delete(source.key))
  ofClient.set(source.key, begun)
  return begun
}
