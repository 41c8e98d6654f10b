import { effect, type Signal, signal } from '@preact/signals'
import type { PaneName, Session } from './pane.ts'

const read = (key: string): Session | undefined => {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as Session)
}

/** The session of a pane, in the session storage of the tab. Real applications should not store tokens like this. */
export const keptSession = (pane: PaneName): Signal<Session | undefined> => {
  const key = `countersign-playground-${pane.toLowerCase()}`
  const session = signal(read(key))
  effect(() => {
    if (session.value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(session.value))
  })
  return session
}
