import type { Operation, OperationName } from '@countersign/contract'
import type { ErrorForm } from './error-responses.ts'
import type { HttpRequest } from './http-request.ts'
import type { ResponseContent } from './http-response.ts'
import type { RequestFacts } from './request-log.ts'

/** The decoded members of a path, by name. */
export type PathMembers = Readonly<Record<string, string>>

/** Answers a request to one route. May add to the headers, also of a refusal, and to the facts about the request. */
export type RouteHandler = (
  request: HttpRequest,
  members: PathMembers,
  responseHeaders: Record<string, string>,
  facts: RequestFacts,
) => ResponseContent | Promise<ResponseContent>

/** The name of a route: an operation, or another route, such as `page`. */
export type RouteName = OperationName | 'page' | 'preflight' | 'unknown'

export interface Route {
  /** `*`: the handler judges the method itself. */
  readonly method: Operation['method'] | '*'
  /** The template: `{name}` matches one segment. */
  readonly path: string
  /** The name in metrics and traces: the name of the operation, or one of a few others. */
  readonly name: RouteName
  readonly errorForm: ErrorForm
  /** True if machines call the route so often that a success is logged at `debug` only. */
  readonly isRoutine: boolean
  readonly handle: RouteHandler
}

export interface RouteMatch {
  readonly route: Route
  /** The members of the path as written, not decoded. */
  readonly members: PathMembers
}

export interface Router {
  /** Returns the route of a method and path; `undefined` if there is none. HEAD leads to the route of GET. */
  readonly match: (method: string, path: string) => RouteMatch | undefined
  /** Returns the methods that a path has, in alphabetical order; empty for an unknown path. */
  readonly methodsOf: (path: string) => readonly string[]
}

type RoutesByMethod = Map<string, Route>

/** A template with members, as a pattern of whole paths. */
interface TemplateRoutes {
  readonly pattern: RegExp
  readonly routes: RoutesByMethod
}

export const noMembers: PathMembers = {}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

const routeOf = (routes: RoutesByMethod, method: string): Route | undefined => routes.get(method) ?? routes.get('*')

/** Makes the matcher of an app's routes. Paths are compared as written. A template without members wins over one with members. */
export const createRouter = (routes: readonly Route[]): Router => {
  const byTemplate = Map.groupBy(routes, ({ path }) => path)
  const exact = new Map<string, RoutesByMethod>()
  const templates: TemplateRoutes[] = []
  for (const [template, ofTemplate] of byTemplate) {
    const byMethod = new Map(ofTemplate.map((route) => [route.method, route]))
    if (template.includes('{')) templates.push({ pattern: patternOf(template), routes: byMethod })
    else exact.set(template, byMethod)
  }

  const match: Router['match'] = (given, path) => {
    const method = given === 'HEAD' ? 'GET' : given
    const plain = exact.get(path)
    const plainRoute = plain && routeOf(plain, method)
    if (plainRoute !== undefined) return { route: plainRoute, members: noMembers }
    for (const { pattern, routes: ofTemplate } of templates) {
      const route = routeOf(ofTemplate, method)
      const found = route && pattern.exec(path)
      if (route !== undefined && found) return { route, members: { ...found.groups } }
    }
    return undefined
  }

  const methodsOf: Router['methodsOf'] = (path) => {
    const fitting = [exact.get(path), ...templates.filter(({ pattern }) => pattern.test(path)).map((template) => template.routes)]
    const methods = new Set(fitting.flatMap((ofTemplate) => [...(ofTemplate?.keys() ?? [])]))
    // RFC 9110 §9.3.2: GET brings HEAD.
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods].sort()
  }

  return { match, methodsOf }
}
