import type { Countersign } from '@countersign/core'
import { customerId, referenceOf, thingAt } from './projects.ts'

type ListInput = Omit<Parameters<Countersign['projects']['list']>[0], 'actor'>

/** A list that is measured, with its name in the table. */
export interface List {
  readonly name: string
  /** The greatest factor between the time at the largest size and the time at `comparedTo` projects, if there is a bound. */
  readonly bound?: { readonly times: number; readonly comparedTo: number }
  /** The greatest time at the largest size, in milliseconds. */
  readonly most?: number
  /**
   * Returns the input of one request.
   *
   * @param count The number of projects.
   * @param total The number of projects on this list.
   * @param run The number of the measurement, from 0.
   */
  readonly page: (count: number, total: number, run: number) => ListInput
}

const LIMIT = 10
const pageAt = (total: number, share: number): number => Math.max(1, Math.ceil((total / LIMIT) * share))

/** The bound for pages with an exact total, whose cost should not depend on the number of projects. */
const LEVEL = { times: 1.5, comparedTo: 10_000 }
const SEARCHED = { times: 2, comparedTo: 100_000 }

const pages = (name: string, filter: ListInput): readonly List[] => [
  { name: `${name}, page 1`, bound: LEVEL, page: () => filter },
  { name: `${name}, middle`, bound: LEVEL, page: (_, total) => ({ ...filter, page: pageAt(total, 0.5) }) },
  // The following pages, as people read on, as far as the shortest list goes.
  {
    name: `${name}, pages after the middle`,
    bound: LEVEL,
    page: (_, total, run) => ({ ...filter, page: Math.min(pageAt(total, 0.5) + (run % 8), pageAt(total, 1)) }),
  },
  { name: `${name}, last`, bound: LEVEL, page: (_, total) => ({ ...filter, page: pageAt(total, 1) }) },
]

/** All measured lists, each with its exact total. */
export const lists: readonly List[] = [
  ...pages('all, newest first', {}),
  ...pages('all, sorted by name', { sortBy: 'name', sortOrder: 'asc' }),
  ...pages('status', { status: 'approved' }),
  ...pages('progress', { progress: 'bidding' }),
  ...pages('customer', { customerId: customerId(7) }),
  ...pages('status, sorted by value', { status: 'on_hold', sortBy: 'contract_value' }),
  ...pages('status and progress', { status: 'approved', progress: 'delivering' }),
  // Each request searches another text, so that no cached result is used.
  {
    name: 'search with one match',
    page: (count, _, run) => ({ search: referenceOf((Math.floor(count * 0.63) + run * 37) % count) }),
  },
  { name: 'search without matches', page: (_, __, run) => ({ search: `ref-${run}-none` }) },
  { name: 'search for words, total cached', bound: SEARCHED, page: () => ({ search: 'signal box Kraków 42' }) },
  { name: 'search with 0.6 % matches, total not cached', most: 15, page: (_, __, run) => ({ search: thingAt(run) }) },
]
