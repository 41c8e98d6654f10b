import { limits } from '@countersign/contract'
import { erasedField, type SealedField } from '../../shared/crypto/field-encryption.ts'
import { Invalid } from '../../shared/errors.ts'
import { isCursor, type ListPosition, type Page, type PageQuery, readPage } from '../../shared/list-page.ts'

/** The part of a list that a person asks for. */
export interface HistoryPage {
  /** Only what was asked at this time or later. */
  readonly from?: string | undefined
  /** Only what was asked before this time. */
  readonly until?: string | undefined
  /** The `next` of the previous page. */
  readonly cursor?: string | undefined
  /** The greatest number of entries, from 1 to 100; 20 by default. */
  readonly limit?: number | undefined
}

const instantOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

/** Reads a page of a history, newest first. @throws Invalid for a cursor that no page returned */
export const readHistory = <T extends ListPosition>(
  { from, until, cursor: after, limit = limits.approvalsPerPage.default }: HistoryPage,
  read: (page: Omit<PageQuery, 'userId'>) => Promise<readonly T[]>,
): Promise<Page<T>> => {
  if (after !== undefined && !isCursor(after)) throw new Invalid({ cursor: 'must be the nextCursor of a page' })
  return readPage({ since: instantOf(from), before: instantOf(until), after, limit }, undefined, read)
}

/** Leaves out what was erased with the data of a user. */
export const withoutErased = <T extends { readonly payload: SealedField }>(all: readonly T[]): readonly T[] =>
  all.filter(({ payload }) => payload !== erasedField)
