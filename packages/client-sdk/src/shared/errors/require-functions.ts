import { refusedInput } from './refused-input.ts'

/** Returns the object if it has the methods. @throws CountersignError `VALIDATION_ERROR` that names the argument otherwise */
export const requireFunctions = <T>(name: string, value: T, ...methods: readonly (keyof T & string)[]): T => {
  if (methods.every((method) => typeof value?.[method] === 'function')) return value
  throw refusedInput(name, `must have the functions ${methods.join(', ')}`)
}
