import { CountersignError } from './countersign-error.ts'

/** The error of an input that is refused before anything is sent: as the service words its own, but without a status. */
export const refusedInput = (field: string, takes: string, cause?: unknown): CountersignError =>
  new CountersignError(`${field}: ${takes}`, { code: 'VALIDATION_ERROR', details: { [field]: takes }, cause })
