import type { Output } from '@countersign/contract'
import { effect, signal } from '@preact/signals'
import { createService } from '../service/service.ts'

export interface Session {
  readonly tokens: Output<'auth.login'>
}

const KEY = 'countersign-playground-web'

/** Uses the session storage of the tab, if the browser lets the page use it. */
const inTab = <T>(use: (storage: Storage) => T): T | undefined => {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

const read = (): Session | undefined => {
  const kept = inTab((storage) => storage.getItem(KEY))
  return typeof kept === 'string' ? (JSON.parse(kept) as Session) : undefined
}

/** The session of the page, stored in the tab; `undefined` when signed out. Real applications should not store tokens like this. */
const session = signal(read())

effect(() => {
  const { value } = session
  inTab((storage) => (value === undefined ? storage.removeItem(KEY) : storage.setItem(KEY, JSON.stringify(value))))
})

/** The web application, with its tokens. The phone is a page of its own. */
export const pane = {
  client: createService(async () => session.peek()?.tokens.accessToken),
  session,
  /** The outcome of the last action, in words. */
  notice: signal<{ readonly kind: 'done' | 'failed'; readonly text: string }>(),
  /** True if an action runs. No other action starts meanwhile. */
  busy: signal(false),
}
