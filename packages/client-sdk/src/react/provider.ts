import type { Output } from '@countersign/contract'
import { type Context, createContext, createElement, type FunctionComponent, type ReactNode, useContext } from 'react'
import type { Client } from '../client.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'

/** The person who is signed in, and what the session may do: see `client.me`. */
export type Me = Output<'account.me'>

interface Provided {
  readonly client: Client
  readonly me: Me | null | undefined
}

const Provided: Context<Provided | undefined> = createContext<Provided | undefined>(undefined)

export interface CountersignProviderProps {
  /** The client of this browser. Create it once, outside of the components. With `events`, the hooks hear of changes at once. */
  readonly client: Client
  /** The person for whom the server rendered the page; `null` for nobody. If absent, the browser asks first. */
  readonly me?: Me | null
  readonly children?: ReactNode
}

/** Gives the hooks below it a client. */
export const CountersignProvider: FunctionComponent<CountersignProviderProps> = ({ client, me, children }) =>
  createElement(Provided.Provider, { value: { client, me } }, children)

/** Returns the properties of the nearest provider. @throws CountersignError `VALIDATION_ERROR` without a provider */
export const useProvided = (): Provided => {
  const provided = useContext(Provided)
  if (!provided) throw new CountersignError('There is no CountersignProvider around this component', { code: 'VALIDATION_ERROR' })
  return provided
}

/** Returns the client of the nearest provider. @throws CountersignError `VALIDATION_ERROR` without a provider */
export const useClient = (): Client => useProvided().client
