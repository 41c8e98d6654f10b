import { type Operation, type OperationName, operations } from '@countersign/contract'
import { type Countersign, silentLogger } from '@countersign/core'
import { Hono } from 'hono'
import { type AnswerDirectly, directly } from './directly.ts'
import { directlyWithBody } from './directly-with-body.ts'
import type { Host } from './host.ts'
import { createCors } from './middleware/cors.ts'
import { warnOfIgnoredForwarding } from './middleware/ignored-forwarding.ts'
import { createOperate, type Handler, type Handlers, mount } from './mount.ts'
import { mountOpenApi } from './openapi.ts'
import type { Page } from './pages/serve-page.ts'
import { authRoutes } from './routes/auth.ts'
import { confirmationRoutes } from './routes/confirmations.ts'
import { deviceRoutes } from './routes/devices.ts'
import { healthRoutes } from './routes/health.ts'
import { internalRoutes } from './routes/internal.ts'
import { mobileRoutes } from './routes/mobile.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { mountPreflight } from './routes/preflight.ts'
import { productSchemaRoutes } from './routes/product-schemas.ts'
import { projectRoutes } from './routes/projects.ts'
import { refuseUnknown } from './routes/unknown.ts'
import { knownQuestions, verifyAgain } from './verify-again.ts'
import { pathOfTarget, rawPath } from './wire/paths.ts'

/** `Host` as it may be left out, and what concerns the platform beneath. */
export interface AppOptions extends Partial<Omit<Host, 'countersign' | 'version' | 'cors' | 'noteForwarding'>> {
  readonly version: string
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

/** The HTTP interface of a `Countersign`, and a direct way to some of it for Node's own server. */
export interface Service {
  readonly app: Hono
  readonly answerDirectly: AnswerDirectly
}

export const createService = (countersign: Countersign, options: AppOptions): Service => {
  const { version, requestTarget, logger = silentLogger, logRequests = true, trustProxy = 0 } = options
  const { socketAddress = nodeSocketAddress, checkOutput, corsOrigins = [] } = options
  const cors = createCors(corsOrigins)
  const noteForwarding = warnOfIgnoredForwarding({ logger, trustProxy })
  const host: Host = { countersign, version, logger, logRequests, trustProxy, noteForwarding, socketAddress, cors, checkOutput }
  const questions = knownQuestions()
  const handlers: Handlers = {
    ...authRoutes(countersign),
    ...deviceRoutes(countersign),
    ...mobileRoutes(countersign),
    ...passkeyRoutes(countersign),
    ...confirmationRoutes(countersign),
    ...projectRoutes(countersign),
    ...productSchemaRoutes(countersign),
    ...internalRoutes(countersign, questions),
    ...healthRoutes(countersign, version),
  }

  const app = new Hono({
    // Matched as written: decoded first, `%2e%2e` and the like would be second names of routes.
    getPath: (request, c) => {
      const path = rawPath(request.url)
      const target = requestTarget?.(c?.env)
      return target === undefined || pathOfTarget(target) === path ? path : ''
    },
  })
  mountPreflight(app, host)
  const isUnlimited = ({ rateLimit }: Operation) => !countersign.rateLimits.has(rateLimit)
  const served = (Object.entries(handlers) as [OperationName, Handler<OperationName>][]).map(([name, handler]) => {
    const operate = createOperate(host, name, handler)
    // Known questions take from no limit, so where there is one, each is asked in full.
    const isKnown = name === 'internal.verify' && isUnlimited(operations[name])
    return [operations[name], isKnown ? verifyAgain(host, questions, operate) : operate] as const
  })
  for (const [operation, operate] of served) mount(app, host, operation, operate)
  mountOpenApi(app, host)
  options.reference?.mount(app, host)
  options.playground?.mount(app, host)
  const [toHeaders, toBody] = [
    directly(
      served.filter(([row]) => isUnlimited(row)),
      logger,
    ),
    directlyWithBody(served, logger),
  ]
  return {
    app: app.notFound(refuseUnknown(host, requestTarget)),
    answerDirectly: (request) => (request.method === 'GET' ? toHeaders(request) : toBody(request)),
  }
}

/**
 * The HTTP interface of a `Countersign`. Its `fetch` is a Web-standard handler, which mounts wherever such handlers do;
 * nothing in it needs Node's server beneath.
 */
export const createApp = (countersign: Countersign, options: AppOptions): Hono => createService(countersign, options).app
