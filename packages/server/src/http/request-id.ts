import { randomUUID } from 'node:crypto'

const SANE = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's `X-Request-Id` where it is sane, so that a request can be followed through several services; else a new one. */
export const requestIdOf = (headers: Pick<Headers, 'get'>): string => {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : randomUUID()
}
