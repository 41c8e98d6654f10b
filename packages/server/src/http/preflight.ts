import type { Hono } from 'hono'
import { exchange } from './exchange.ts'
import type { Host } from './host.ts'
import { mapMaybe } from './maybe-promise.ts'
import { respond } from './respond.ts'

const place = { route: 'preflight', errorForm: 'authentication', isRoutine: true } as const

/**
 * Answers the question that a browser asks before a call from another origin, whatever the path: an allowed page may then read
 * the refusal of a wrong path as well. Every other OPTIONS request goes on to the routes.
 */
export const mountPreflight = (app: Hono, host: Host): void => {
  const { cors } = host
  if (cors === undefined) return
  app.on('OPTIONS', '*', (c, next) => {
    const request = c.req.raw
    const preflight = cors.preflightHeaders(request.headers)
    if (preflight === undefined) return next()
    const sent = exchange(host, request, place, (headers) => {
      Object.assign(headers, preflight)
      return { status: 204, body: null }
    })
    return mapMaybe(sent, respond)
  })
}
