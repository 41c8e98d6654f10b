import { randomUUID } from 'node:crypto'

const SANE = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Returns the `X-Request-Id` of the caller if it is valid, so that a request can be traced through several services. Otherwise
 * returns a new id.
 */
export const requestIdOf = (headers: Pick<Headers, 'get'>): string => {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : randomUUID()
}
