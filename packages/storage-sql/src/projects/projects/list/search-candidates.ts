import type { ProjectQuery } from '@countersign/core/types'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { projectColumn } from '../project-rows.ts'
import type { ListContext } from './cache.ts'
import { listCondition } from './list-condition.ts'
import { pickTrigrams } from './pick-trigrams.ts'

/** A needle in a greater share of the projects is common: along any index, the next match is never far. */
const COMMON_SHARE = 0.02

export interface SearchQuery extends ProjectQuery {
  readonly needle: string
}

/** The conditions of a search. */
export interface SearchConditions {
  /** Finds the matches, by the search index if that helps. */
  readonly matches: RawBuilder<SqlBool>
  /** Tells whether a row that was found otherwise is a match. */
  readonly contains: RawBuilder<SqlBool>
  /** The candidates of the search index; see `SearchFeatures`. */
  readonly candidates: RawBuilder<unknown> | undefined
  /** Whether the search index can be used: the needle has at least one trigram. */
  readonly isIndexed: boolean
  /** The share of projects that are expected to be candidates. */
  readonly expectedShare: number
  /** Whether few projects are expected to be candidates. */
  readonly isSelective: boolean
}

/** Returns the conditions of a search. @param all The number of all projects. */
export const prepareSearch = async (
  context: ListContext,
  { needle, filters }: SearchQuery,
  all: number,
): Promise<SearchConditions> => {
  const { search } = context.features
  const contains = listCondition(filters, search.contains(needle))
  const picked = await pickTrigrams(context, needle, all)
  const candidates = picked === undefined ? undefined : search.candidates(picked.trigrams)
  return {
    matches: candidates === undefined ? contains : sql<SqlBool>`${projectColumn('seq')} in ${candidates} and ${contains}`,
    contains,
    candidates,
    isIndexed: picked !== undefined,
    expectedShare: picked?.share ?? 1,
    isSelective: picked !== undefined && picked.share <= COMMON_SHARE,
  }
}
