import { shapes } from '@countersign/contract'
import * as z from 'zod'
import { orWord } from '../shared/option-schemas.ts'
import { defaultUniqueCode } from './projects/project.ts'

/** Options of projects. */
export interface ProjectOptions {
  /**
   * Makes the code of a new project from the year and the next number of that year. Must never make the same code twice. 1 to
   * 255 characters without slash, backslash and control characters, and not `.` or `..`: a code is a segment of paths.
   */
  readonly projectCode: (next: { readonly year: number; readonly number: number }) => string
  /**
   * The status values that projects may be given beside `pending` and `approved`, which are always allowed, or `any` that the
   * contract takes. A project keeps a status that is no longer on the list.
   */
  readonly projectStatuses: readonly string[] | 'any'
}

/** What holds where a host sets nothing else. */
export const defaultProjectOptions: ProjectOptions = { projectCode: defaultUniqueCode, projectStatuses: 'any' }

const projectStatus = shapes['projects.update'].input.shape.status.unwrap()
const projectStatuses = z.array(projectStatus, { error: 'must be any, or a list of statuses' })

/** What each option takes, in a sentence that goes on after its name and never repeats a value. */
export const projectOptionSchemas = {
  projectCode: z.custom((value) => typeof value === 'function', { error: 'must be a function' }),
  projectStatuses: orWord('any', projectStatuses),
} satisfies Record<keyof ProjectOptions, z.ZodType>
