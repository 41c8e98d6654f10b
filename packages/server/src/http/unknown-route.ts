import { type Operation, operations } from '@countersign/contract'
import type { Context } from 'hono'
import { pathBelow } from './base-path.ts'
import { errorFormOfPath } from './errors.ts'
import { exchange } from './exchange.ts'
import type { Host } from './host.ts'
import { type MaybePromise, mapMaybe } from './maybe-promise.ts'
import { pathOfTarget } from './paths.ts'
import { WireRefusal } from './refusals.ts'
import { respond } from './respond.ts'

const rows: readonly Operation[] = Object.values(operations)
const templates = [...new Set(rows.map(({ path }) => path))].map((path) => {
  const methods = rows.filter((row) => row.path === path).map(({ method }) => method)
  return { pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), methods }
})

/** The methods that a path has, of every template that it fits. GET brings HEAD (RFC 9110 §9.3.2). */
const methodsOfPath = (path: string): readonly string[] => {
  const methods = new Set<string>(templates.filter(({ pattern }) => pattern.test(path)).flatMap((template) => template.methods))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}

/**
 * Answers what no operation took: a path that is not there, or a method that it does not have.
 *
 * @param targetOf The target as it was received, where the platform tells: a path that was written otherwise than its URL
 * comes here as none at all, and is answered in the form of the service whose prefix was written.
 */
export const refuseUnknown =
  (host: Host, basePath = '', targetOf: (env: unknown) => string | undefined = () => undefined) =>
  (c: Context): MaybePromise<Response> => {
    const written = c.req.path === '' ? pathBelow(basePath, pathOfTarget(targetOf(c.env) ?? '') ?? '') : c.req.path
    const place = { route: 'unknown', errorForm: errorFormOfPath(written), isRoutine: false } as const
    const sent = exchange(host, c.req.raw, place, () => {
      const methods = methodsOfPath(c.req.path)
      if (methods.length === 0) throw new WireRefusal('route_not_found')
      throw new WireRefusal('method_not_allowed', { Allow: methods.join(', ') })
    })
    return mapMaybe(sent, respond)
  }
