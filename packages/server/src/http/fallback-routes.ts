import type { Cors } from './cors.ts'
import type { ErrorForm } from './error-responses.ts'
import { WireRefusal } from './refusals.ts'
import type { Route } from './router.ts'

/** Makes the route of CORS preflights, for every path: an allowed page can read the refusal of a wrong path too. */
export const preflightRoute = (cors: Cors): Route => ({
  method: '*',
  path: 'preflight',
  name: 'preflight',
  errorForm: 'authentication',
  isRoutine: true,
  handle: ({ headers }, _members, responseHeaders) => {
    Object.assign(responseHeaders, cors.preflightHeaders(headers))
    return { status: 204, body: null }
  },
})

/** Makes the route of requests that no other route takes: 404 for a path without methods, 405 for any other. */
export const unknownRoute = (methods: readonly string[], errorForm: ErrorForm): Route => ({
  method: '*',
  path: 'unknown',
  name: 'unknown',
  errorForm,
  isRoutine: false,
  handle: () => {
    if (methods.length === 0) throw new WireRefusal('route_not_found')
    throw new WireRefusal('method_not_allowed', { Allow: methods.join(', ') })
  },
})
