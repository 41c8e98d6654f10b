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

/** The part of a person in a project. */
export type ProjectRole = 'creator' | 'participant' | 'remover'

/** The people of a project, as far as they concern one person. */
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

/** New values for fields of a project. */
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

/** The store of projects. A deleted project stays in the database, but only `ofPerson` returns it. Codes match exactly. */
export interface ProjectStore {
  /**
   * Adds a project with its products, participants and documents, in one transaction and a fixed number of statements, with a code
   * made of the next number of the year. Returns the code; `undefined`, and adds nothing, if a project has the code already, also a
   * deleted one (a unique index decides). Numbers count from 1. No two projects get the same number, also if a process or the
   * database dies. A number is lost if its project could not be added. As long as every project is added, no number is skipped.
   *
   * @param codeOf Makes the code of a number. If `codeOf` throws, nothing is added, and the call rejects with the error.
   * @param sessionId The session in which the creator acts. If it is no longer live, nothing is added, and the call returns
   *   `false`.
   */
  create(
    project: Omit<NewProject, 'uniqueCode'>,
    year: number,
    codeOf: (number: number) => string,
    sessionId?: string,
  ): Promise<string | undefined | false>
  /** Returns the project with this code and everything that belongs to it, in a fixed number of statements. */
  byCode(uniqueCode: string): Promise<ProjectDetail | undefined>
  /**
   * Returns the given project with everything that belongs to it now, in a fixed number of statements. Does not read the project
   * again, so that the author of a change sees that change, also when somebody changed or deleted the project since.
   */
  detail(project: Project): Promise<ProjectDetail>
  /**
   * Returns one page and the exact total. A page past the end is empty. A page costs about the same at every position, however
   * many projects there are.
   *
   * Texts sort by code points. A missing reply date sorts after every date. Equal projects sort by id in the same direction, so
   * `asc` is exactly the reverse of `desc`.
   */
  list(query: ProjectQuery): Promise<ProjectPage>
  /** Returns the projects with these codes, in any order. Takes at most 1000 codes. */
  references(uniqueCodes: readonly string[]): Promise<readonly ProjectReference[]>
  /**
   * Returns every project that a user created, takes part in or deleted, oldest first; also deleted projects. Reads all projects,
   * so it is for the rare export of a person's data.
   */
  ofPerson(userId: number): Promise<readonly PersonalProject[]>
  /**
   * Sets the given fields and `updatedAt`. Returns the changed project; `undefined` if no project has the code. Call within a
   * transaction: the project's row stays locked until the transaction ends.
   *
   * @param check Receives the current project after its row is locked. An error that `check` throws stops the change, and
   *   `change` rejects with it. `check` runs again when the transaction is retried.
   */
  change(
    uniqueCode: string,
    change: ProjectChange,
    now: Instant,
    check?: (project: Project) => void,
  ): Promise<Project | undefined>
  /**
   * Deletes the project and records the user, `null` for an admin. Returns `false` if no project has the code. Of concurrent
   * calls exactly one gets `true`. Call within a transaction.
   *
   * @param check As for `change`.
   */
  remove(uniqueCode: string, removedBy: number | null, now: Instant, check?: (project: Project) => void): Promise<boolean>
}

/** A product of an input, whose attributes are not checked yet. */
export interface GivenProduct {
  readonly name: string
  readonly productType: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * Checks each product against the active schema of its type. Returns the version of the schema for each product, in order. Throws
 * if a type is not registered, or attributes are invalid.
 */
export type ProductChecker = (products: readonly GivenProduct[]) => Promise<readonly string[]>
