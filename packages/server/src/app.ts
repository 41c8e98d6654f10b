import { type Operation, type OperationName, operations } from '@countersign/contract'
import { type Countersign, silentLogger } from '@countersign/core'
import { Hono } from 'hono'
import { type AnswerDirectly, directly } from './adapters/node/directly.ts'
import { directlyWithBody } from './adapters/node/directly-with-body.ts'
import { confirmationRoutes } from './approvals/routes/confirmations.ts'
import { healthRoutes } from './health/routes.ts'
import { checkBasePath, pathBelow } from './http/base-path.ts'
import { createCors } from './http/cors.ts'
import { handledBy } from './http/handles.ts'
import type { Host } from './http/host.ts'
import { warnOfIgnoredForwarding } from './http/ignored-forwarding.ts'
import { createOperate, type Handler, type Handlers, mount } from './http/mount.ts'
import { pathOfTarget, rawPath } from './http/paths.ts'
import { mountPreflight } from './http/preflight.ts'
import { refuseUnknown } from './http/unknown-route.ts'
import { authRoutes } from './identity/routes/auth.ts'
import { deviceRoutes } from './identity/routes/devices.ts'
import { internalRoutes } from './identity/routes/internal.ts'
import { mobileRoutes } from './identity/routes/mobile.ts'
import { passkeyRoutes } from './identity/routes/passkeys.ts'
import { mountOpenApi } from './pages/openapi.ts'
import type { Page } from './pages/serve-page.ts'
import { productSchemaRoutes } from './projects/routes/product-schemas.ts'
import { projectRoutes } from './projects/routes/projects.ts'

/** `Host` as it may be left out, and what concerns the platform beneath. */
export interface AppOptions extends Partial<Omit<Host, 'countersign' | 'version' | 'cors' | 'noteForwarding'>> {
  readonly version: string
  /** The path below which the app answers, such as `/auth`. The root where it is left out. */
  readonly basePath?: string
  /**
   * The origins of other pages whose scripts may call, such as `https://app.example.com`; none where left out. Compared
   * exactly. @throws RangeError in `createApp`, for what is no web origin
   */
  readonly corsOrigins?: readonly string[]
  /**
   * The request's target as received, in origin-form or absolute-form, where the platform tells. The URL of a `Request` has
   * dot segments resolved. A target whose path differs from that of the URL is answered with 404, so a proxy that judges
   * paths and this server always see the same path.
   */
  readonly requestTarget?: (env: unknown) => string | undefined
  /**
   * What `createPlayground` of `@countersign/server/playground` gives: the page at `/playground`, for development. Without
   * it there is no such page.
   */
  readonly playground?: Page
  /**
   * What `createReference` of `@countersign/server/reference` gives: the page at `/docs`, which shows `/openapi.json`.
   * Without it there is no such page.
   */
  readonly reference?: Page
}

/** Where `@hono/node-server` and what is made like it keep the connection. */
const nodeSocketAddress: Host['socketAddress'] = (_request, env) =>
  (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress

/** The HTTP interface of a `Countersign`. */
export interface CountersignApp extends Hono {
  /**
   * Tells whether a request is for Countersign, by its target or URL, so that a host can hand on all others to its own
   * routes. A known path is Countersign's whatever the method.
   */
  readonly handles: (target: string) => boolean
}

/** The HTTP interface of a `Countersign`, and a direct way to some of it for Node's own server. */
export interface Service {
  readonly app: CountersignApp
  readonly answerDirectly: AnswerDirectly
}

export const createService = (countersign: Countersign, options: AppOptions): Service => {
  const { version, requestTarget, logger = silentLogger, logRequests = true, trustProxy = 0 } = options
  const { socketAddress = nodeSocketAddress, checkOutput, corsOrigins = [] } = options
  const cors = createCors(corsOrigins)
  const basePath = checkBasePath(options.basePath ?? '')
  const noteForwarding = warnOfIgnoredForwarding({ logger, trustProxy })
  const host: Host = { countersign, version, logger, logRequests, trustProxy, noteForwarding, socketAddress, cors, checkOutput }
  const handlers: Handlers = {
    ...authRoutes(countersign),
    ...deviceRoutes(countersign),
    ...mobileRoutes(countersign),
    ...passkeyRoutes(countersign),
    ...confirmationRoutes(countersign),
    ...projectRoutes(countersign),
    ...productSchemaRoutes(countersign),
    ...internalRoutes(countersign),
    ...healthRoutes(countersign, version),
  }

  const app = new Hono({
    // Matched as written: decoded first, `%2e%2e` and the like would be second names of routes.
    getPath: (request, c) => {
      const path = rawPath(request.url)
      const target = requestTarget?.(c?.env)
      return target === undefined || pathOfTarget(target) === path ? pathBelow(basePath, path) : ''
    },
  })
  mountPreflight(app, host)
  const isUnlimited = ({ rateLimit }: Operation) => !countersign.rateLimits.has(rateLimit)
  const served = (Object.entries(handlers) as [OperationName, Handler<OperationName>][]).map(
    ([name, handler]) => [operations[name], createOperate(host, name, handler)] as const,
  )
  for (const [operation, operate] of served) mount(app, host, operation, operate)
  mountOpenApi(app, host, basePath)
  options.reference?.mount(app, host)
  options.playground?.mount(app, host)
  const [toHeaders, toBody] = [
    directly(
      served.filter(([row]) => isUnlimited(row)),
      logger,
    ),
    directlyWithBody(served, logger),
  ]
  app.notFound(refuseUnknown(host, basePath, requestTarget))
  // The direct way compares whole paths with those of the operations.
  const answerDirectly: AnswerDirectly = (request) => (request.method === 'GET' ? toHeaders(request) : toBody(request))
  return {
    app: Object.assign(app, { handles: handledBy(app, basePath) }),
    answerDirectly: basePath === '' ? answerDirectly : () => undefined,
  }
}

/**
 * The HTTP interface of a `Countersign`. Its `fetch` is a Web-standard handler, which mounts wherever such handlers do;
 * nothing in it needs Node's server beneath.
 */
export const createApp = (countersign: Countersign, options: AppOptions): CountersignApp =>
  createService(countersign, options).app
