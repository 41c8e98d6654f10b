import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import type { ListCache } from './cache.ts'

/** The database with the lists, and the cached lists. */
export interface ListContext {
  readonly database: Readable
  readonly features: Pick<DialectFeatures, 'search' | 'projectsByIndex'>
  readonly cache: ListCache
}
