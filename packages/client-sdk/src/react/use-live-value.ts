import { use, useMemo, useSyncExternalStore } from 'react'
import type { Client } from '../client.ts'
import { liveValue, type Shown, type Source, unread } from './live-value.ts'

export interface HookOptions {
  /** True to suspend until there is an answer or an error, for the nearest `Suspense`. Never on a server, without a session. */
  readonly suspense?: boolean
}

/** The members that every hook returns besides its value. */
export interface Read {
  /** Why the last attempt failed; `undefined` after a success. The last value stays, except after a change of the session. */
  readonly error: Error | undefined
  /** Reads now. Resolves when the value is read. */
  reload(): Promise<void>
}

const noChanges = () => () => {}
const noReload = () => Promise.resolve()

/** Follows a value of the service while the component is shown. `first` is the value with which a server rendered the page. */
export const useLiveValue = <T>(
  client: Client,
  source: Source<T> | undefined,
  { suspense = false }: HookOptions = {},
  first?: T,
): Shown<T> & Read => {
  // A server reads nothing, and keeps nothing: one process renders for many people.
  const value = source && typeof document !== 'undefined' ? liveValue(client, source, first) : undefined
  const rendered = useMemo((): Shown<T> => (first === undefined ? unread : { data: first, error: undefined }), [first])
  const { data, error } = useSyncExternalStore<Shown<T>>(
    value?.subscribe ?? noChanges,
    value?.shown ?? (() => rendered),
    () => rendered,
  )
  if (suspense && value && data === undefined && !error) use(value.load())
  return { data, error, reload: value?.reload ?? noReload }
}
