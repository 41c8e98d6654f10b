import * as z from 'zod'
import { type Instant, toIsoTimestamp } from './clock.ts'
import { storableText } from './input-schemas.ts'

const LARGEST_PAGE = 1000
const DEFAULT_PAGE = 100

/** The position of an entry in a list that is sorted by time of creation and id, newest first. */
export interface ListPosition {
  readonly createdAt: Instant
  readonly id: string
}

/** The part of such a list that a store returns. */
export interface PageQuery {
  /** Only entries of this user. */
  readonly userId?: number | undefined
  /** Only entries created at this time or later. */
  readonly since?: Instant | undefined
  /** Only entries created before this time. */
  readonly before?: Instant | undefined
  /** Only entries that the list has after this position. */
  readonly after?: ListPosition | undefined
  /** The greatest number of entries. */
  readonly limit: number
}

/** The input of a list across users. A deleted user has an id, but no email. */
export interface ListAll extends Pick<PageQuery, 'userId' | 'since' | 'before'> {
  /** Only entries of the user with this email. */
  readonly email?: string | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
  /** The greatest number of entries, from 1 to 1000; 100 by default. */
  readonly limit?: number | undefined
}

/** A page of a list across users, newest first. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The `after` of the next page; `null` on the last page. */
  readonly next: string | null
}

/** Returns the text of a position: the time of creation and the id, for example `2026-01-31T12:00:00.000Z/conf_…`. */
const toCursor = ({ createdAt, id }: ListPosition): string => `${toIsoTimestamp(createdAt)}/${id}`

/** Reads the text of a position; `undefined` if the text is not a position. */
const fromCursor = (cursor: string): ListPosition | undefined => {
  const [, time = '', id = ''] = /^([^/]*)\/(.+)$/s.exec(cursor) ?? []
  const createdAt = Date.parse(time)
  return Number.isNaN(createdAt) || toIsoTimestamp(createdAt) !== time ? undefined : { createdAt, id }
}

/** Returns whether a text is the position of an entry, as `Page.next` has it. */
export const isCursor = (text: string): boolean => fromCursor(text) !== undefined

const instantMessage = 'must be milliseconds since 1970'
const instant = z.int({ error: instantMessage })
const limitMessage = `must be a whole number from 1 to ${LARGEST_PAGE}`

export const listAllShape = {
  email: storableText.optional(),
  userId: z.int({ error: 'must be the id of a user' }).optional(),
  since: instant.optional(),
  before: instant.optional(),
  after: storableText.refine(isCursor, { error: 'must be the position of an entry, as a page tells' }).optional(),
  limit: z.int({ error: limitMessage }).min(1, { error: limitMessage }).max(LARGEST_PAGE, { error: limitMessage }).optional(),
}

/** Reads a page. Asks the store for one entry more, which shows whether there is a next page. */
export const readPage = async <T extends ListPosition>(
  { since, before, after, limit = DEFAULT_PAGE }: ListAll,
  userId: number | undefined,
  read: (query: PageQuery) => Promise<readonly T[]>,
): Promise<Page<T>> => {
  const position = after === undefined ? undefined : fromCursor(after)
  const found = await read({ userId, since, before, after: position, limit: limit + 1 })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: last !== undefined && found.length > limit ? toCursor(last) : null }
}
