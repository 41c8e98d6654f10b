import { CountersignError } from './countersign-error.ts'

/** Makes the error for an input that is refused before any request. The error has the service's form, but no status. */
export const refusedInput = (field: string, takes: string, cause?: unknown): CountersignError =>
  new CountersignError(`${field}: ${takes}`, { code: 'VALIDATION_ERROR', details: { [field]: takes }, cause })
