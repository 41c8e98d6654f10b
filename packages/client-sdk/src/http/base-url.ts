import { refusedInput } from '../shared/errors/refused-input.ts'

/** By hand: not every React Native has a whole `URL`. Paths are put behind it, so that it can have none of what follows one. */
const FORM = /^https?:\/\/[^?#@\s]+$/i

/** The base of every URL, without a slash at its end. @throws CountersignError `VALIDATION_ERROR` */
export const toBaseUrl = (given: string): string => {
  const url = String(given).trim().replace(/\/+$/, '')
  if (FORM.test(url)) return url
  throw refusedInput('baseUrl', 'must be a plain http or https URL')
}
