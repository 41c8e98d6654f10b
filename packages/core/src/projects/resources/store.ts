import type { ResourceType } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { Resource } from './resource.ts'

/** How many lines of an import were new, and how many replaced what was there. */
export interface ImportCounts {
  readonly imported: number
  readonly updated: number
}

/** The resources of deleted projects are kept and never seen. */
export interface ResourceStore {
  /**
   * Lays lines of an import aside, at most 1000 at a time, where nobody sees them; of several of the same type and
   * external id the last one counts. No two of one call have the same. In a number of statements that does not grow.
   */
  stage(importId: string, resources: readonly Resource[], now: Instant): Promise<void>
  /**
   * Makes all that was laid aside count, at once: adds what is new and, where a resource of the same type and external
   * id stands, replaces all of it but the id.
   */
  commitImport(importId: string): Promise<ImportCounts>
  /** Forgets what was laid aside. */
  discardImport(importId: string): Promise<void>
  /** How many resources a project has of each type and status, in any order; `undefined` where there is no such project. */
  counts(
    uniqueCode: string,
  ): Promise<readonly { readonly type: ResourceType; readonly status: string; readonly count: number }[] | undefined>
}
