import { type Operation, type OperationName, operations } from '@countersign/contract'
import { type Part, silentLogger } from '@countersign/core'
import { type CountersignApp, createHonoApp, type Platform } from './adapters/hono.ts'
import { decisionWaits } from './approvals/decision-waits.ts'
import { settings } from './config/settings.ts'
import { handlersOf, type MountableCountersign, mountedParts } from './handlers.ts'
import type { AppContext } from './http/app-context.ts'
import { warnOfIgnoredForwarding } from './http/client-address.ts'
import { createCors } from './http/cors.ts'
import { createPipeline, type Pipeline } from './http/handle-request.ts'
import type { OperationHandler } from './http/operation-handler.ts'
import { createOperationRoute } from './http/operation-steps.ts'
import { checkBasePath } from './http/paths.ts'
import { createRouter } from './http/router.ts'
import { warnOnce } from './http/warn-once.ts'
import { openApiRoute } from './pages/openapi.ts'
import type { Page } from './pages/page-routes.ts'

/** The client only learns that the body did not arrive, so the developer of the host gets this hint. */
const BODY_HINT = 'a body parser of the host read the body first: place Countersign before every body parser'

/** The options of an app: those that its context takes, with defaults, and those that concern its mounting. */
export interface AppOptions
  extends Partial<
    Pick<AppContext, 'logger' | 'logRequests' | 'logAddresses' | 'trustProxy' | 'onRequest' | 'tracing' | 'checkOutput'>
  > {
  readonly version: string
  /** The path below which the app answers, such as `/auth`; by default the root. */
  readonly basePath?: string
  /** The parts whose routes the app has; by default all that the `Countersign` has, and no others. `/health` is always there. */
  readonly parts?: readonly Part[] | undefined
  /** The web origins of other pages whose scripts may call, compared exactly; by default none. */
  readonly corsOrigins?: readonly string[]
  /**
   * Returns whether the server will stop soon. `/health` and `/health/ready` then answer 503 with the status `draining`, so that a
   * load balancer sends no new requests. All requests are still answered. By default never.
   */
  readonly isDraining?: () => boolean
  /** Returns the address of the peer. By default, reads the address from `@hono/node-server`. */
  readonly socketAddress?: Platform['socketAddress']
  /**
   * Returns the request's target as received, if the platform knows it. A target whose path differs from the path of the
   * `Request`'s URL, which has no dot segments, is answered with 404: a proxy that judges paths sees the same path.
   */
  readonly requestTarget?: (env: unknown) => string | undefined
  /** The page at `/playground` for development, made by `createPlayground`; by default no page. */
  readonly playground?: Page
  /** The page at `/approve/`, on which people answer requests, made by `createApprover`; by default no page. */
  readonly approver?: Page
  /** The page at `/docs`, which shows `/openapi.json`, made by `createReference`; by default no page. */
  readonly reference?: Page
}

/** Reads the address where `@hono/node-server` and similar servers keep the connection. */
const nodeSocketAddress: Platform['socketAddress'] = (_request, env) =>
  (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress

export interface AppPipeline extends Pipeline {
  /** Ends the waits of all requests that wait for a decision; for the shutdown of the server. */
  readonly endWaits: () => void
}

/** Makes the pipeline of a `Countersign`: every route that the app has. */
export const createAppPipeline = (countersign: MountableCountersign, options: AppOptions): AppPipeline => {
  const {
    version,
    logger = silentLogger,
    logRequests = true,
    logAddresses = settings.logAddresses.default,
    trustProxy = settings.trustProxy.default,
    corsOrigins = settings.corsOrigins.default,
    isDraining = () => false,
  } = options
  const basePath = checkBasePath(options.basePath ?? '')
  const context: AppContext = {
    countersign,
    logger,
    logRequests,
    logAddresses,
    trustProxy,
    noteForwarding: warnOfIgnoredForwarding({ logger, trustProxy }),
    cors: createCors(corsOrigins),
    onRequest: options.onRequest,
    tracing: options.tracing,
    checkOutput: options.checkOutput,
  }

  const waits = decisionWaits()
  const handlers = handlersOf(countersign, mountedParts(countersign, options.parts), { version, isDraining, logger }, waits)
  const names = Object.keys(handlers) as OperationName[]
  const paths = new Set(names.map((name): Operation['path'] => operations[name].path))
  const routes = [
    ...names.map((name) => createOperationRoute(context, name, handlers[name] as OperationHandler<OperationName>)),
    openApiRoute({ version, basePath, paths }),
    ...(options.reference?.routes ?? []),
    ...(options.playground?.routes ?? []),
    ...(options.approver?.routes ?? []),
  ]
  return { ...createPipeline(context, createRouter(routes), basePath), endWaits: waits.end }
}

/** Makes the HTTP interface of a `Countersign`. Its `fetch` is a Web-standard handler, which needs no Node server. */
export const createApp = (countersign: MountableCountersign, options: AppOptions): CountersignApp => {
  const { socketAddress = nodeSocketAddress, requestTarget, logger = silentLogger } = options
  const onBodyAlreadyRead = warnOnce(logger, 'body_already_read', BODY_HINT)
  return createHonoApp(createAppPipeline(countersign, options), { socketAddress, requestTarget, onBodyAlreadyRead })
}
