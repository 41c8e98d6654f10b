import { type ProjectPage, type ProjectQuery, Unavailable } from '@countersign/core/storage'
import type { Database, Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import { readCounts, readListVersion } from '../project-counts.ts'
import type { ListCache } from './cache.ts'
import { readPage } from './read-page.ts'

/** Reads a page and its exact total of one version of the lists; in a snapshot if the projects change meanwhile. */
export const listProjects = async (
  database: Database,
  features: DialectFeatures,
  cache: ListCache,
  query: ProjectQuery,
): Promise<ProjectPage> => {
  const readOnce = async (readable: Readable): Promise<ProjectPage | undefined> => {
    const context = { database: readable, features, cache }
    const counts = await readCounts(readable, query.filters)
    const page = await readPage(context, query, counts)
    return (await readListVersion(readable)) === counts.version ? page : undefined
  }
  const page = (await readOnce(database)) ?? (await database.snapshot(readOnce))
  // A transaction has no snapshot, so other transactions may have changed projects between the two reads.
  if (page === undefined) throw new Unavailable('The projects changed while they were listed', { reason: 'write_conflicts' })
  return page
}
