import { effect, type Signal, signal } from '@preact/signals'
import type { PaneName, Session } from './pane.ts'

const read = (key: string): Session | undefined => {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as Session)
}

/** The session of a pane. It outlives a reload of the page and ends with its tab: no application should keep tokens so. */
export const keptSession = (pane: PaneName): Signal<Session | undefined> => {
  const key = `countersign-playground-${pane.toLowerCase()}`
  const session = signal(read(key))
  effect(() => {
    if (session.value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(session.value))
  })
  return session
}
