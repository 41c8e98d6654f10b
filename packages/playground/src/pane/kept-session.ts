import { effect, type Signal, signal } from '@preact/signals'
import { storesData } from '../shared/stored-data.ts'
import type { PaneName, Session } from './pane.ts'

/** Uses the session storage of the tab, if the browser lets the page use it. */
const inTab = <T>(use: (storage: Storage) => T): T | undefined => {
  try {
    return use(sessionStorage)
  } catch {
    storesData.value = false
    return undefined
  }
}

const read = (key: string): Session | undefined => {
  const kept = inTab((storage) => storage.getItem(key))
  return typeof kept === 'string' ? (JSON.parse(kept) as Session) : undefined
}

/** The session of a pane, in the session storage of the tab. Real applications should not store tokens like this. */
export const keptSession = (pane: PaneName): Signal<Session | undefined> => {
  const key = `countersign-playground-${pane.toLowerCase()}`
  const session = signal(read(key))
  effect(() => {
    const { value } = session
    inTab((storage) => (value === undefined ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(value))))
  })
  return session
}
