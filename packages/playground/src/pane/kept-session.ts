import type { Output } from '@countersign/contract'
import { effect, type Signal, signal } from '@preact/signals'

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

/** The session of the page, in the session storage of the tab. Real applications should not store tokens like this. */
export const keptSession = (): Signal<Session | undefined> => {
  const session = signal(read())
  effect(() => {
    const { value } = session
    inTab((storage) => (value === undefined ? storage.removeItem(KEY) : storage.setItem(KEY, JSON.stringify(value))))
  })
  return session
}
