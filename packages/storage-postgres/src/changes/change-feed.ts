import type { Change, ChangeFeed, PolledChanges } from '@countersign/storage-sql'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { type ChangeListener, elapsedSince, listen, type Moment } from './listen.ts'

/**
 * Milliseconds for which an answer on the listening connection stands: in all that time no news can be older, and no
 * answer from memory is.
 */
const TRUSTED = 750
/** Changes that are told one by one; past it, forgetting all is the lesser work. */
const MAX_REPORTED = 1000

const KINDS = { session: true, user: true, service_token: true } satisfies Record<Change['kind'], true>

const isKind = (text: string): text is Change['kind'] => Object.hasOwn(KINDS, text)

/** The change of a notification; `undefined` where it stands for many, or for what only a newer program knows. */
const readChange = (payload: string): Change | undefined => {
  const [kind = '', subject] = payload.split(' ')
  return subject !== undefined && isKind(kind) ? { kind, subject } : undefined
}

const NOTHING: PolledChanges = []

export interface OpenChangeFeed extends ChangeFeed {
  close(): Promise<void>
}

/**
 * The feed of a connection that listens, which is made at the first question. It is sure of its news for as long as the
 * connection is known to be whole; after another took its place, it does not know what was missed.
 *
 * @param onLost Called where the connection broke, or stayed without an answer.
 */
export const changeFeed = (servers: Connector, onLost: () => void): OpenChangeFeed => {
  const closing = new AbortController()
  let listening: Promise<void> | undefined
  let told: Change[] | 'unknown' = 'unknown'
  let confirmed: { readonly since: Moment; readonly run: ServerRun } | undefined

  const listener: ChangeListener = {
    heard: (payload) => {
      const change = readChange(payload)
      if (change === undefined || told === 'unknown' || told.length === MAX_REPORTED) told = 'unknown'
      else told.push(change)
    },
    confirmed: (since, run) => {
      confirmed = { since, run }
    },
    lost: () => {
      confirmed = undefined
      told = 'unknown'
      if (!closing.signal.aborted) onLost()
    },
  }

  const isSure = (): boolean =>
    confirmed !== undefined && confirmed.run === servers.run && elapsedSince(confirmed.since) < TRUSTED

  return {
    poll: () => {
      listening ??= listen(servers, listener, closing.signal)
      if (!isSure()) return 'unsure'
      if (told.length === 0) return NOTHING
      const news = told
      told = []
      return news
    },
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
