import type { Countersign } from '@countersign/core'
import { customerId, referenceOf, thingAt } from './projects.ts'

type ListInput = Omit<Parameters<Countersign['projects']['list']>[0], 'actor'>

/** A list that is asked for, named for the table. */
export interface List {
  readonly name: string
  /** How many times as long it may take among the most projects as among so many; not held where it is not said. */
  readonly bound?: { readonly times: number; readonly comparedTo: number }
  /** How many milliseconds it may take among the most projects. */
  readonly most?: number
  /** @param count How many projects there are. @param total How many are on this list. @param run Of the measurement, from 0. */
  readonly page: (count: number, total: number, run: number) => ListInput
}

const LIMIT = 10
const pageAt = (total: number, share: number): number => Math.max(1, Math.ceil((total / LIMIT) * share))

/** A page with its exact total costs about the same however many projects there are. */
const LEVEL = { times: 1.5, comparedTo: 10_000 }
const SEARCHED = { times: 2, comparedTo: 100_000 }

const pages = (name: string, filter: ListInput): readonly List[] => [
  { name: `${name}, page 1`, bound: LEVEL, page: () => filter },
  { name: `${name}, middle`, bound: LEVEL, page: (_, total) => ({ ...filter, page: pageAt(total, 0.5) }) },
  // As people leaf through from there, as far as the shortest list goes.
  {
    name: `${name}, from there on`,
    bound: LEVEL,
    page: (_, total, run) => ({ ...filter, page: Math.min(pageAt(total, 0.5) + (run % 8), pageAt(total, 1)) }),
  },
  { name: `${name}, last`, bound: LEVEL, page: (_, total) => ({ ...filter, page: pageAt(total, 1) }) },
]

/** Every list that is measured, each with its exact total. */
export const lists: readonly List[] = [
  ...pages('all, newest first', {}),
  ...pages('all, by name', { sortBy: 'name', sortOrder: 'asc' }),
  ...pages('status', { status: 'approved' }),
  ...pages('progress', { progress: 'bidding' }),
  ...pages('customer', { customerId: customerId(7) }),
  ...pages('status, by value', { status: 'on_hold', sortBy: 'contract_value' }),
  ...pages('status and progress', { status: 'approved', progress: 'delivering' }),
  // Another text each time, so that nothing of the answer is remembered.
  { name: 'search of one', page: (count, _, run) => ({ search: referenceOf((Math.floor(count * 0.63) + run * 37) % count) }) },
  { name: 'search of none', page: (_, __, run) => ({ search: `ref-${run}-none` }) },
  { name: 'search of words, total known', bound: SEARCHED, page: () => ({ search: 'signal box Kraków 42' }) },
  { name: 'search of 0.6 %, counted afresh', most: 15, page: (_, __, run) => ({ search: thingAt(run) }) },
]
