import type { ProjectProgress, ProjectSortKey, SortOrder } from '@countersign/contract'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { Customer } from './customer.ts'
import type { Resource } from './resource.ts'

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

export type ProjectRole = 'creator' | 'participant' | 'remover'

interface ProjectPeople {
  readonly creatorId: number
  readonly isParticipant: boolean
  readonly removedBy: number | null
}

/** Returns the roles of a user in a project: none for a user who has nothing to do with it. */
export const rolesOf = (userId: number, { creatorId, isParticipant, removedBy }: ProjectPeople): readonly ProjectRole[] => {
  const roles = { creator: creatorId === userId, participant: isParticipant, remover: removedBy === userId }
  return (['creator', 'participant', 'remover'] as const).filter((role) => roles[role])
}

/** A new project, with everything that belongs to it. */
export interface NewProject extends Project {
  readonly products: readonly Product[]
  /** User ids without duplicates. */
  readonly participantIds: readonly number[]
  readonly documentFileIds: readonly string[]
}

export type ProjectChange = Partial<Pick<Project, 'name' | 'contractValue' | 'description' | 'status' | 'progress'>>

/** A query for a page of projects. */
export interface ProjectQuery {
  /** A project must match every given filter. */
  readonly filters: {
    readonly status?: string | undefined
    readonly customerId?: string | undefined
    readonly progress?: ProjectProgress | undefined
  }
  /** A folded search term (see `fold`). The project's `searchedText` must contain the term. There are no wildcards. */
  readonly needle: string | undefined
  readonly sort: ProjectSortKey
  readonly direction: SortOrder
  readonly offset: number
  /** The size of a page, at most 100. */
  readonly limit: number
}

/** The result of a query. */
export interface ProjectPage {
  readonly projects: readonly Project[]
  /** The exact number of all matching projects, at the moment of the page. */
  readonly total: number
}

/** The fields of a project that an import needs. */
export type ProjectReference = Pick<Project, 'id' | 'uniqueCode' | 'currency'>

/** The ways in which a person took part in a project. */
export interface PersonalProject {
  readonly uniqueCode: string
  readonly createdAt: Instant
  /** `null` for a project that nobody deleted. */
  readonly removedAt: Instant | null
  /** At least one. */
  readonly roles: readonly ProjectRole[]
}

type CheckProject = (project: Project) => void

/** The store of projects. A deleted project stays in the database, but only `ofPerson` returns it. Codes match exactly. */
export interface ProjectStore {
  /**
   * Adds a project with everything that belongs to it, in one transaction, with a code made of the next number of the year, which
   * `codeOf` makes. Returns the code; adds nothing, and returns `undefined` if any project has it already, and `false` if the
   * session of the creator is not live. Numbers count from 1, and one is skipped only if its project could not be added.
   */
  create(
    project: Omit<NewProject, 'uniqueCode'>,
    year: number,
    codeOf: (number: number) => string,
    sessionId?: string,
  ): Promise<string | undefined | false>
  /** Returns the project with this code and everything that belongs to it, in a fixed number of statements. */
  byCode(uniqueCode: string): Promise<ProjectDetail | undefined>
  /** Returns the given project with everything that belongs to it now. Does not read the project itself again. */
  detail(project: Project): Promise<ProjectDetail>
  /**
   * Returns one page and the exact total; an empty page past the end. Costs about the same at every position. Texts sort by code
   * points, a missing reply date after every date, equal projects by id; `asc` is exactly the reverse of `desc`.
   */
  list(query: ProjectQuery): Promise<ProjectPage>
  /** Returns the projects with these codes, in any order. Takes at most 1000 codes. */
  references(uniqueCodes: readonly string[]): Promise<readonly ProjectReference[]>
  /** Returns every project that a user created, takes part in or deleted, oldest first. Reads all projects: for the rare export. */
  ofPerson(userId: number): Promise<readonly PersonalProject[]>
  /**
   * Sets the given fields and `updatedAt`. Returns the changed project; `undefined` if no project has the code. Call within a
   * transaction: the row stays locked until its end. What `check` throws about the locked project stops the change.
   */
  change(uniqueCode: string, change: ProjectChange, now: Instant, check?: CheckProject): Promise<Project | undefined>
  /**
   * Deletes the project and records the user, `null` for an admin. Returns `false` if no project has the code. Of concurrent calls
   * exactly one gets `true`. Call within a transaction. `check`: as for `change`.
   */
  remove(uniqueCode: string, removedBy: number | null, now: Instant, check?: CheckProject): Promise<boolean>
}

/** A product of an input, whose attributes are not checked yet. */
export type GivenProduct = Pick<Product, 'name' | 'productType' | 'attributes'>

/** Returns the version of the schema that each product satisfies. Throws for an unknown type and for invalid attributes. */
export type ProductChecker = (products: readonly GivenProduct[]) => Promise<readonly string[]>
