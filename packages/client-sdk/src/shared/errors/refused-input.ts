import { CountersignError } from './countersign-error.ts'

/** Returns the object if it has the methods. @throws CountersignError `VALIDATION_ERROR` that names the argument otherwise */
export const requireFunctions = <T>(name: string, value: T, ...methods: readonly (keyof T & string)[]): T => {
  if (methods.every((method) => typeof value?.[method] === 'function')) return value
  throw refusedInput(name, `must have the functions ${methods.join(', ')}`)
}

/** Makes the error for an input that is refused before any request. The error has the service's form, but no status. */
export const refusedInput = (field: string, takes: string, cause?: unknown): CountersignError =>
  new CountersignError(`${field}: ${takes}`, { code: 'VALIDATION_ERROR', details: { [field]: takes }, cause })
