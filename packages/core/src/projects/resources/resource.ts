import type { ResourceType } from '@countersign/contract'

/** Something that belongs to a project in another system: a task, an order, a delivery. */
export interface Resource {
  /** A UUID; kept where an import updates the resource. */
  readonly id: string
  readonly projectId: string
  readonly type: ResourceType
  /** Its id in the system it comes from, unique among the resources of its type. */
  readonly externalId: string
  readonly name: string
  readonly status: string
}
