import { refusedInput } from '../shared/errors/countersign-error.ts'

/**
 * A regular expression, because some React Native runtimes lack a complete `URL`. The client appends paths, so the base has no
 * query and no fragment.
 */
const FORM = /^https?:\/\/[^?#@\s]+$/i

/** Returns the base of every URL, without a slash at its end. @throws CountersignError `VALIDATION_ERROR` */
export const toBaseUrl = (given: string): string => {
  const url = String(given).trim().replace(/\/+$/, '')
  if (FORM.test(url)) return url
  throw refusedInput('baseUrl', 'must be a plain http or https URL')
}

/**
 * The `fetch` of the platform at the moment of a call, so that a later replacement counts, such as a replacement by a tracing
 * library.
 */
export const currentFetch: typeof globalThis.fetch = (request, init) => fetch(request, init)
