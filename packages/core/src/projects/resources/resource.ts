import type { ResourceType } from '@countersign/contract'

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
