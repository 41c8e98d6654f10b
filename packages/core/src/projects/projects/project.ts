import type { ProjectProgress } from '@countersign/contract'
import type { User } from '../../identity/users/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { Customer } from '../customers/customer.ts'
import type { Resource } from '../resources/resource.ts'
import { fold } from './searched-text.ts'

/** A project as its own row has it. Times are milliseconds since 1970. */
export interface Project {
  /** A UUID whose order is that of creation. */
  readonly id: string
  /** What people call it by; unique for ever, also among deleted projects. */
  readonly uniqueCode: string
  readonly name: string
  /** 1 to 64 characters without control characters, as given; see `isApproved` for what the rules read of it. */
  readonly status: string
  readonly progress: ProjectProgress
  /** Finite and at least 0; kept to the bit, as JSON wrote it. */
  readonly contractValue: number
  /** Three capital letters. */
  readonly currency: string
  /** Empty where there is none. */
  readonly description: string
  readonly replyDate: Instant | null
  readonly customerId: string
  readonly creatorId: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A product of a project, with attributes as the schema of its type allowed them when it was created. */
export interface Product {
  readonly id: string
  readonly name: string
  readonly productType: string
  /** Empty where there is none. */
  readonly description: string
  /** Any JSON object: member names may hold quotes, dots, U+0000 or nothing at all. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The version of the type's schema that the attributes were checked against. */
  readonly schemaVersion: string
}

/** A user as a project names them. */
export type Contact = Pick<User, 'id' | 'name' | 'email'>

/** A project with everything that belongs to it. */
export interface ProjectDetail extends Project {
  readonly customer: Pick<Customer, 'id' | 'name' | 'email'>
  readonly creator: Contact
  /** The resources of type `Task`, by rising id. */
  readonly tasks: readonly Pick<Resource, 'id' | 'name' | 'status'>[]
  /** In the order in which they were given. */
  readonly products: readonly Product[]
  /** In the order in which they were given. */
  readonly participants: readonly Contact[]
  readonly documentFileIds: readonly string[]
}

/** What a new project has; the rest is given by who creates it. */
export const newProjectState = { status: 'pending', progress: 'technical_negotiating' } as const

export const APPROVED = 'approved'

/** White space, and characters that show nothing. U+2800 is a braille pattern without dots. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a status reads "approved" to people, in any case of its letters and whatever unseen characters it has. */
export const isApproved = (status: string): boolean => fold(status.normalize('NFKC').replace(UNSEEN, '')) === APPROVED

/** The year of a unique code: that of the clock, in UTC. */
export const codeYear = (now: Instant): number => new Date(now).getUTCFullYear()

/** `PRJ-<year>-<number of at least six digits>` */
export const defaultUniqueCode = ({ year, number }: { readonly year: number; readonly number: number }): string =>
  `PRJ-${year}-${String(number).padStart(6, '0')}`
