import type { ResourceType } from '@countersign/contract'
import type { Resource } from './resource.ts'

/** How many lines of an import were new, and how many replaced what was there. */
export interface ImportCounts {
  readonly imported: number
  readonly updated: number
}

/** The resources of deleted projects are kept and never seen. */
export interface ResourceStore {
  /**
   * Adds the resources, at most 1000; where one of the same type and external id stands, replaces all of it but the id.
   * No two of them have the same type and external id. In a number of statements that does not grow with theirs.
   */
  put(resources: readonly Resource[]): Promise<ImportCounts>
  /** How many resources a project has of each type and status, in any order; `undefined` where there is no such project. */
  counts(
    uniqueCode: string,
  ): Promise<readonly { readonly type: ResourceType; readonly status: string; readonly count: number }[] | undefined>
}
