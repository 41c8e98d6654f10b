import { shapes } from '@countersign/contract'
import * as z from 'zod'
import { days } from '../shared/clock.ts'
import { orWord } from '../shared/option-schemas.ts'
import { type Retention, retentionSchema } from '../shared/retention.ts'
import { APPROVED, readsAsApproved } from './projects/approved-status.ts'
import { defaultUniqueCode } from './projects/project-code.ts'

/** Options of projects. */
export interface ProjectOptions {
  /**
   * Makes the code of a new project from the year and the next number of that year. Must never return the same code twice. A
   * code is a segment of URL paths: 1 to 255 characters without slash, backslash and control characters, and not `.` or `..`.
   */
  readonly projectCode: (next: { readonly year: number; readonly number: number }) => string
  /**
   * The allowed statuses of projects, or `any` for every status that the contract allows. `pending` and `approved` are always
   * allowed. A project may keep a status that is no longer in the list.
   */
  readonly projectStatuses: readonly string[] | 'any'
  /** How long removed projects are kept. */
  readonly removedProjectRetention: Retention
}

/** The options of a host that sets none. */
export const defaultProjectOptions: ProjectOptions = {
  projectCode: defaultUniqueCode,
  projectStatuses: 'any',
  removedProjectRetention: days(3650),
}

const projectStatus = shapes['projects.update'].input.shape.status.unwrap()
const clearStatus = projectStatus.refine((status) => status === APPROVED || !readsAsApproved(status), {
  error: `must be ${APPROVED} itself, or a text that does not look like it`,
})
const projectStatuses = z.array(clearStatus, { error: 'must be any, or a list of statuses' })

/** Checks of the options. Each error message continues a sentence that begins with the option's name, and never shows the value. */
export const projectOptionSchemas = {
  projectCode: z.custom((value) => typeof value === 'function', { error: 'must be a function' }),
  projectStatuses: orWord('any', projectStatuses),
  removedProjectRetention: retentionSchema,
} satisfies Record<keyof ProjectOptions, z.ZodType>
