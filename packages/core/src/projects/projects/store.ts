import type { ProjectProgress, ProjectSortKey, SortOrder } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { Product, Project, ProjectDetail } from './project.ts'

/** A project that is to be added, with all that belongs to it. */
export interface NewProject extends Project {
  readonly products: readonly Product[]
  /** Ids of users, without repetition. */
  readonly participantIds: readonly number[]
  readonly documentFileIds: readonly string[]
}

/** The members of a project to change. */
export type ProjectChange = Partial<Pick<Project, 'name' | 'contractValue' | 'description' | 'status' | 'progress'>>

/** Which projects are wanted, in which order, and which part of them. */
export interface ProjectQuery {
  /** A project must have every member that is given. */
  readonly filters: {
    readonly status?: string | undefined
    readonly customerId?: string | undefined
    readonly progress?: ProjectProgress | undefined
  }
  /** Already folded (see `fold`). A project must have it within its `searchedText`; no character of it is special. */
  readonly needle: string | undefined
  readonly sort: ProjectSortKey
  readonly direction: SortOrder
  readonly offset: number
  /** At most 100. */
  readonly limit: number
}

/** What a query found. */
export interface ProjectPage {
  readonly projects: readonly Project[]
  /** How many match in all, exactly, as of the page. */
  readonly total: number
}

/** What an import needs to know of a project. */
export type ProjectReference = Pick<Project, 'id' | 'uniqueCode' | 'currency'>

/** A deleted project is kept, with when and by whom, and never seen again by any method. Codes match exactly. */
export interface ProjectStore {
  /**
   * The next number of a year, from 1. Called within the transaction that creates the project: of any number at once
   * each gets its own, and one that was committed is never given out again.
   */
  nextNumber(year: number): Promise<number>
  /**
   * Adds a project with its products, participants and documents, in a number of statements that does not grow with
   * theirs. `false`, and nothing happened, where the code is taken, also by a deleted project (a unique index decides).
   * Called within a transaction.
   */
  create(project: NewProject): Promise<boolean>
  /** In a fixed number of statements. */
  byCode(uniqueCode: string): Promise<ProjectDetail | undefined>
  /**
   * The project as it is given, with everything that belongs to it by now, also where it was changed or deleted since: what
   * one who changed it is shown, whatever others did in the next moment. In a fixed number of statements.
   */
  detail(project: Project): Promise<ProjectDetail>
  /**
   * One page and the exact total. A page past the end is empty. Texts are sorted by their code points, a missing reply
   * date as later than every date; ties are broken by id in the same direction, so that an order is always the same and
   * `asc` is `desc` reversed. At any size of the database a page costs about the same, wherever in the list it lies.
   */
  list(query: ProjectQuery): Promise<ProjectPage>
  /** Those of the codes that are projects', at most 1000 at a time, in any order. */
  references(uniqueCodes: readonly string[]): Promise<readonly ProjectReference[]>
  /**
   * Sets the members that are given, and `updatedAt`, and tells what the project is then; `undefined` where there is no
   * such project. Called within a transaction, which holds the project's row until the end.
   *
   * @param check Is shown the project as it stands, once it is held: nothing comes between the check and the change. Nothing
   *   happens where it throws, which `change` throws as well. It may run again where the transaction does.
   */
  change(
    uniqueCode: string,
    change: ProjectChange,
    now: Instant,
    check?: (project: Project) => void,
  ): Promise<Project | undefined>
  /**
   * Deletes the project and notes who did, `null` for an admin without user; `false` where there is no such project.
   * Of any number at once exactly one gets `true`. Called within a transaction.
   */
  remove(uniqueCode: string, removedBy: number | null, now: Instant): Promise<boolean>
}
