import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../http/call.ts'
import type { ProjectPages } from './list-projects.ts'

/** Projects. Outputs have `data`, and `message` or `meta` where the service gives them. */
export interface ProjectMethods {
  /**
   * Lists projects: filtered, searched, sorted. Awaited, it is one page; iterated, every project from that page on.
   * `limit` is the size of a page, 10 by default and 100 at most.
   */
  list(query?: Input<'projects.list'>, options?: CallOptions): ProjectPages
  /** Shows a project with everything that belongs to it. */
  get(input: Input<'projects.get'>, options?: CallOptions): Promise<Output<'projects.get'>>
  /** Creates a project with its products and participants: all of it, or nothing. */
  create(input: Input<'projects.create'>, options?: CallOptions): Promise<Output<'projects.create'>>
  /** Changes those members of a project that are given. */
  update(input: Input<'projects.update'>, options?: CallOptions): Promise<Output<'projects.update'>>
  /** Approves a project. */
  approve(input: Input<'projects.approve'>, options?: CallOptions): Promise<Output<'projects.approve'>>
  /** Moves a project to a stage of progress. */
  setProgress(input: Input<'projects.setProgress'>, options?: CallOptions): Promise<Output<'projects.setProgress'>>
  /** Deletes a project; its record is kept, and its code is never used again. */
  remove(input: Input<'projects.remove'>, options?: CallOptions): Promise<Output<'projects.remove'>>
  /** Counts the resources of a project by type and status. */
  countResources(input: Input<'projects.countResources'>, options?: CallOptions): Promise<Output<'projects.countResources'>>
  /** Sums the expenses of a project by category. */
  sumExpenses(input: Input<'projects.sumExpenses'>, options?: CallOptions): Promise<Output<'projects.sumExpenses'>>
}
