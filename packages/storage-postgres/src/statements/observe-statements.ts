import { AsyncLocalStorage } from 'node:async_hooks'
import type { StorageObserver } from '@countersign/core'
import type { CompiledQuery } from 'kysely'

/** Reports to the observer how long a statement took, and whether it failed. */
export type TellStatement = (milliseconds: number, error?: unknown) => void

/** Returns the function to call after a statement; `undefined` without an observer. Called in the context of the caller. */
export type Observe = (text: string) => TellStatement | undefined

/** A query that was observed before it is sent, because it is sent from another asynchronous context. */
export interface ObservedQuery extends CompiledQuery {
  readonly tell?: TellStatement | undefined
}

export const unobserved: Observe = () => undefined

/** Makes the observer of statements, each of which belongs to its own asynchronous context, also in a batch. */
export const observeBy = (observer: StorageObserver | undefined): Observe => {
  if (observer === undefined) return unobserved
  const tellOf =
    (text: string): TellStatement =>
    (milliseconds, error) =>
      observer.statement({ system: 'postgresql', text, milliseconds, ...(error !== undefined && { error }) })
  return observer.inContext === true ? (text) => AsyncLocalStorage.bind(tellOf(text)) : tellOf
}
