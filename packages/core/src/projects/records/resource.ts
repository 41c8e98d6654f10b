import type { ResourceType } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** A thing of another system that belongs to a project: a task, an order, a delivery. */
export interface Resource {
  /** A UUID, which stays the same when an import updates the resource. */
  readonly id: string
  readonly projectId: string
  readonly type: ResourceType
  /** The id in the system that the resource comes from. Unique among the resources of its project and type. */
  readonly externalId: string
  readonly name: string
  readonly status: string
}

/** The number of new entries of an import, and of known ones that the import changed. */
export interface ImportCounts {
  readonly imported: number
  readonly updated: number
}

/** Imports entries of projects. Two entries are the same if they have the same project, external id and, if any, type. */
export interface ImportStore<T> {
  /**
   * Stages lines of an import, at most 1000 in one call. No other method returns staged lines. Of several lines with the same
   * entry, the last one counts. No two lines of one call have the same entry. Uses a fixed number of statements.
   */
  stage(importId: string, entries: readonly T[], now: Instant): Promise<void>
  /** Applies all staged lines in one transaction: adds new entries, and replaces known ones, which keep their ids. */
  commitImport(importId: string): Promise<ImportCounts>
  /** Deletes the staged lines. */
  discardImport(importId: string): Promise<void>
}

/** The number of a project's resources with one type and one status. */
export interface ResourceCount {
  readonly type: ResourceType
  readonly count: number
  readonly status: string
}

/** The store of resources. Resources of deleted projects stay in the database, but no method returns them. */
export interface ResourceStore extends ImportStore<Resource> {
  /** Returns the number of a project's resources by type and status, in any order; `undefined` if no project has the code. */
  counts(uniqueCode: string): Promise<readonly ResourceCount[] | undefined>
}
