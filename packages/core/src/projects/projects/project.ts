import type { ProjectProgress } from '@countersign/contract'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { Customer } from '../customers/customer.ts'
import type { Resource } from '../resources/resource.ts'

/** A project, without the things that belong to it. */
export interface Project {
  /** A UUID that sorts by time of creation. */
  readonly id: string
  /** The code that people use for the project. Unique for ever, also among deleted projects. */
  readonly uniqueCode: string
  readonly name: string
  /** 1 to 64 characters without control characters. Only `approved` itself reads as approved (see `readsAsApproved`). */
  readonly status: string
  readonly progress: ProjectProgress
  /** Finite and at least 0. Stored as the same double that JSON parsing gives. */
  readonly contractValue: number
  /** Three capital letters. */
  readonly currency: string
  /** Empty for a missing description. */
  readonly description: string
  readonly replyDate: Instant | null
  readonly customerId: string
  readonly creatorId: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A product of a project. Its attributes were valid under the schema of its type when the product was created. */
export interface Product {
  readonly id: string
  readonly name: string
  readonly productType: string
  /** Empty for a missing description. */
  readonly description: string
  /** A JSON object. Member names may be any text, also empty. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The version of the type's schema that the attributes were checked against. */
  readonly schemaVersion: string
}

/** The fields of a user that a project shows. */
export type Contact = Pick<User, 'id' | 'name' | 'email'>

/** A project with everything that belongs to it. */
export interface ProjectDetail extends Project {
  readonly customer: Pick<Customer, 'id' | 'name' | 'email'>
  readonly creator: Contact
  /** The resources of type `Task`, sorted by id. */
  readonly tasks: readonly Pick<Resource, 'id' | 'name' | 'status'>[]
  /** Sorted like the input. */
  readonly products: readonly Product[]
  /** Sorted like the input. */
  readonly participants: readonly Contact[]
  readonly documentFileIds: readonly string[]
}

/** The state of every new project. */
export const newProjectState = { status: 'pending', progress: 'technical_negotiating' } as const
