import { type Change, type ChangeFeed, MAX_REPORTED, type PolledChanges } from '@countersign/storage-sql'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { type ChangeListener, createListener, elapsedSince, type ListenerOptions, type Moment } from './listen.ts'

/** Milliseconds for which a read of the changes is trusted, so no cached status is older than this. */
const TRUSTED = 750
const NOTHING: PolledChanges = []

type Pending = readonly Change[] | 'unknown'

const joined = (earlier: Pending, later: Pending): Pending =>
  earlier === 'unknown' || later === 'unknown' || earlier.length + later.length > MAX_REPORTED
    ? 'unknown'
    : [...earlier, ...later]

export interface OpenChangeFeed extends ChangeFeed {
  /** Returns whether the connection has answered recently; `undefined` before the first poll, which opens it. */
  isListening(): boolean | undefined
  close(): Promise<void>
}

/**
 * Creates a feed that reads the changes four times a second, and sooner when another process announces one. It reports `unsure`
 * while the connection has not answered recently, and `unknown` once after another has replaced it.
 */
export const changeFeed = (servers: Connector, options: ListenerOptions, onLost: () => void): OpenChangeFeed => {
  const closing = new AbortController()
  let listening: Promise<void> | undefined
  let pending: Pending = 'unknown'
  let confirmed: { readonly since: Moment; readonly run: ServerRun } | undefined

  const onChanges: ChangeListener = {
    onRead: (changes, since, run) => {
      pending = joined(pending, changes)
      confirmed = { since, run }
    },
    onLost: () => {
      confirmed = undefined
      pending = 'unknown'
      if (!closing.signal.aborted) onLost()
    },
  }
  const listener = createListener(servers, options, onChanges, closing.signal)

  const isSure = (): boolean =>
    confirmed !== undefined && confirmed.run === servers.run && elapsedSince(confirmed.since) < TRUSTED

  return {
    poll: () => {
      listening ??= listener.listen()
      if (!isSure()) return 'unsure'
      if (pending.length === 0) return NOTHING
      const changes = pending
      pending = []
      return changes
    },
    isListening: () => (listening === undefined ? undefined : isSure()),
    announce: listener.announce,
    watched: listener.watched,
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
