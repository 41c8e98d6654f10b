import { shapes } from '@countersign/contract'
import * as z from 'zod'
import { days } from '../shared/clock.ts'
import { callback, type OptionValues, option, orWord, retention } from '../shared/option.ts'
import { APPROVED, readsAsApproved } from './records/approved-status.ts'
import { defaultUniqueCode } from './records/project-code.ts'

const projectStatus = shapes['projects.update'].input.shape.status.unwrap()
const clearStatus = projectStatus.refine((status) => status === APPROVED || !readsAsApproved(status), {
  error: `must be ${APPROVED} itself, or a text that does not look like it`,
})
const projectStatuses = z.array(clearStatus, { error: 'must be any, or a list of statuses' })

export const projectOptions = {
  /**
   * Makes the code of a new project from the year and the next number of that year. Must never return the same code twice. A
   * code is a segment of URL paths: 1 to 255 characters without slash, backslash and control characters, and not `.` or `..`.
   */
  projectCode: callback<(next: { readonly year: number; readonly number: number }) => string>(defaultUniqueCode),
  /** The allowed statuses of projects besides `pending` and `approved`, or `any`. A project may keep a status that was removed. */
  projectStatuses: option<readonly string[] | 'any'>('any', orWord('any', projectStatuses)),
  /** The time for which removed projects are stored. */
  removedProjectRetention: retention(days(3650)),
}

export type ProjectOptions = OptionValues<typeof projectOptions>
