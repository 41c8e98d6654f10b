import { CountersignError } from './countersign-error.ts'

/** Makes the error for a platform that lacks something. */
export const unsupported = (what: string): CountersignError =>
  new CountersignError(`This platform has no ${what}`, { code: 'UNSUPPORTED' })
