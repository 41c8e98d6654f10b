import type { Input, Output } from '@countersign/contract'
import type { CallOptions, Method } from '../http/call.ts'
import type { ProjectPages } from './list-projects.ts'

/** A project with its customer, creator, tasks, products and participants. */
export type Project = Output<'projects.get'>['data']

/** The members that are fixed when a project is created. The service ignores them in a change. */
type KeptMember = Exclude<keyof Input<'projects.create'>, keyof Input<'projects.update'>> | 'participants'

/** The changes of a project. The type refuses members that nobody can change, such as `products`. */
export type ProjectChanges = Input<'projects.update'> & { readonly [Member in KeptMember]?: never }

/** Projects. Outputs have `data`; some have `message` or `meta` too. */
export interface ProjectMethods {
  /** Lists projects: awaited, one page of `limit` (10 by default, 100 at most); iterated, every project from there on. */
  list(query?: Input<'projects.list'>, options?: CallOptions): ProjectPages
  /** Reads a project with everything that belongs to the project. */
  readonly get: Method<'projects.get'>
  /** Creates a project with its products and participants: all of them, or nothing. */
  readonly create: Method<'projects.create'>
  /** Changes the name, the contract value, the description, the status or the progress of a project. */
  update(input: ProjectChanges, options?: CallOptions): Promise<Output<'projects.update'>>
  /** Approves a project. */
  readonly approve: Method<'projects.approve'>
  /** Moves a project to a stage of progress. */
  readonly setProgress: Method<'projects.setProgress'>
  /** Deletes a project. The service keeps the record, and never uses the code again. */
  readonly remove: Method<'projects.remove'>
  /** Counts the resources of a project by type and status. */
  readonly countResources: Method<'projects.countResources'>
  /** Sums the expenses of a project by category. */
  readonly sumExpenses: Method<'projects.sumExpenses'>
}
