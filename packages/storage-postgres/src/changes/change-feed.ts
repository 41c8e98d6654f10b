import type { Change, ChangeFeed, PolledChanges } from '@countersign/storage-sql'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { elapsedSince, type Moment } from './elapsed.ts'
import { type ChangeListener, listen } from './listen.ts'

/**
 * Milliseconds for which an answer on the listening connection is trusted. Every change that was committed before the answer has
 * arrived, so no cached status is older than this.
 */
const TRUSTED = 750
/** The greatest number of changes that are reported one by one. With more, the cache is cleared instead. */
const MAX_REPORTED = 1000

const KINDS = { session: true, user: true, service_token: true } satisfies Record<Change['kind'], true>

const isKind = (text: string): text is Change['kind'] => Object.hasOwn(KINDS, text)

/**
 * Returns the change of a notification. Returns `undefined` if the notification stands for many changes, or if only a newer
 * version of the program knows its kind.
 */
const readChange = (payload: string): Change | undefined => {
  const [kind = '', subject] = payload.split(' ')
  return subject !== undefined && isKind(kind) ? { kind, subject } : undefined
}

const NOTHING: PolledChanges = []

export interface OpenChangeFeed extends ChangeFeed {
  /** Returns whether the connection has answered recently, so that changes by other processes are known. */
  isListening(): boolean
  close(): Promise<void>
}

/**
 * Creates a feed that listens for notifications. The first poll opens the connection. The feed reports `unsure` while the
 * connection has not answered recently, and `unknown` once after another connection has replaced it.
 *
 * @param onLost Called when the connection broke or did not answer.
 */
export const changeFeed = (servers: Connector, schema: string, onLost: () => void): OpenChangeFeed => {
  const closing = new AbortController()
  let listening: Promise<void> | undefined
  let pending: Change[] | 'unknown' = 'unknown'
  let confirmed: { readonly since: Moment; readonly run: ServerRun } | undefined

  const listener: ChangeListener = {
    onNotification: (payload) => {
      const change = readChange(payload)
      if (change === undefined || pending === 'unknown' || pending.length === MAX_REPORTED) pending = 'unknown'
      else pending.push(change)
    },
    onConfirmed: (since, run) => {
      confirmed = { since, run }
    },
    onLost: () => {
      confirmed = undefined
      pending = 'unknown'
      if (!closing.signal.aborted) onLost()
    },
  }

  const isSure = (): boolean =>
    confirmed !== undefined && confirmed.run === servers.run && elapsedSince(confirmed.since) < TRUSTED

  return {
    poll: () => {
      listening ??= listen(servers, schema, listener, closing.signal)
      if (!isSure()) return 'unsure'
      if (pending.length === 0) return NOTHING
      const changes = pending
      pending = []
      return changes
    },
    isListening: isSure,
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
