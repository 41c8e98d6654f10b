import type { Logger, MigratedStorage } from '@countersign/core'
import { oldSpellings } from '@countersign/core/storage'
import { createNodeHandler } from './adapters/node/handler.ts'
import { type Listening, type ListenOptions, listen } from './adapters/node/listen.ts'
import { type AppOptions, createAppPipeline } from './app.ts'
import { type OpenCountersign, openCountersign, relyingPartyOf } from './compose.ts'
import { keptLonger } from './config/check-config.ts'
import { type Config, hasBothParts, nodeEnvironments } from './config/config.ts'
import { serveRefusals } from './config/serve-refusals.ts'
import { readVersion } from './config/version.ts'
import { failureReason } from './failure-reason.ts'
import type { MountableCountersign } from './handlers.ts'
import { describeError } from './logging/error-fields.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { requireOneInstallation } from './open-storage.ts'
import type { ApproverSettings } from './pages/approver-settings.ts'
import type { Page } from './pages/page-routes.ts'
import { createStartPage, type LinkedPage } from './pages/start-page.ts'
import type { DemoUser, PlaygroundSettings } from './playground.ts'
import { failureCode, StartupError } from './startup-error.ts'
import { stopServer } from './stop-server.ts'
import { startSweeper } from './sweeper.ts'
import { isApiLoaded } from './tracing/find-api.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The options of `serve`, in addition to the configuration. `host` and `port` override the configuration. */
export interface ServeOptions extends Partial<ListenOptions> {
  readonly logger: Logger
  /** True if SIGTERM and SIGINT close the server. A second signal more than a second later ends the process immediately. */
  readonly signals?: boolean
  /** The demo user whose public credentials the pages offer. */
  readonly demoUser?: DemoUser
}

export interface RunningServer {
  readonly url: string
  /** Drains, finishes requests and background work within eight seconds, and closes the database. Can be called again. */
  close(): Promise<void>
  /** Resolves when the server is closed, whoever closed it. */
  readonly closed: Promise<void>
}

/** Milliseconds in which a repeated signal is ignored: npm forwards a signal that the terminal has already sent. */
const SIGNAL_ECHO = 1000

const migrate = async (storage: MigratedStorage, { databaseUrl }: Config, logger: Logger): Promise<void> => {
  await requireOneInstallation(storage, databaseUrl)
  try {
    const applied = await storage.migrate({ onWait: (why) => logger.warn('migration_waits', { why }) })
    if (applied.length === 0) return
    logger.info('migrated', { applied })
    const users = (await oldSpellings(storage)).map(({ userId }) => userId)
    if (users.length > 0) logger.warn('old_email_spellings', { users: users.slice(0, 20), count: users.length })
  } catch (cause) {
    throw new StartupError([`the database could not be migrated: ${failureReason(cause)}`], { cause })
  }
}

/** Refuses to serve on a database that accepts no writes, such as a read-only file. Nobody could log in there. */
const requireWrites = async (storage: MigratedStorage): Promise<void> => {
  try {
    await storage.probeWrites()
  } catch (cause) {
    throw new StartupError([`the database cannot be written: ${failureReason(cause)}`], { cause })
  }
}

/** Publishes the receipt keys before the first receipt. A production server whose receipts are off says so. */
const announceReceiptKeys = async (
  { countersign: { receipts }, hasReceiptKeys }: OpenCountersign<MountableCountersign>,
  { production }: Config,
  logger: Logger,
): Promise<void> => {
  if (receipts === undefined) return
  if (hasReceiptKeys) await receipts.keys()
  else if (production) logger.warn('receipts_not_configured', { variable: 'COUNTERSIGN_RECEIPTS' })
}

/** Adds the setting that chooses another port to the failure of a listen on a taken port. */
const adviseOnPort =
  (variable: string) =>
  (error: unknown): never => {
    if (!(error instanceof StartupError) || failureCode(error) !== 'EADDRINUSE') throw error
    throw new StartupError(
      error.lines.map((line) => `${line}; set ${variable} to listen on another port`),
      { cause: error.cause },
    )
  }

const approverSettings = (
  { approver: { on: _, ...settings }, ...config }: Config,
  demoUser: DemoUser | undefined,
): ApproverSettings => ({
  ...settings,
  passkeyApprovals: config.passkeyApprovals,
  forgot: config.smtp !== undefined,
  verification: config.approverVerification,
  framed: config.playground,
  vapidPublicKey: config.push.find((one) => one.provider === 'webpush')?.publicKey,
  demoUser,
})

/** Adds the page at `/` to the playground: both are for development. */
const withStartPage = ({ routes }: Page, { approver, reference }: Config): Page => {
  const linked = ['playground', ...(approver.on ? ['approver'] : []), ...(reference ? ['reference'] : [])] as LinkedPage[]
  return { routes: [...routes, ...createStartPage(linked).routes] }
}

/** Loads the pages for people. The code of a page that is off is not loaded. */
const pagesOf = async (
  config: Config,
  settings: PlaygroundSettings,
): Promise<Pick<AppOptions, 'playground' | 'approver' | 'reference'>> => ({
  ...(config.playground && hasBothParts(config)
    ? { playground: withStartPage((await import('./playground.ts')).createPlayground(settings), config) }
    : {}),
  ...(config.approver.on && hasBothParts(config)
    ? { approver: (await import('./approver.ts')).createApprover(approverSettings(config, settings.demoUser)) }
    : {}),
  ...(config.reference ? { reference: (await import('./reference.ts')).createReference({ demoUser: settings.demoUser }) } : {}),
})

/** Creates the metrics if they are configured. The code of metrics that are off is not loaded. */
const metricsOf = async ({ metrics }: Config): Promise<Metrics | undefined> =>
  metrics && (await import('./metrics/create-metrics.ts')).createMetrics()

/** Returns the tracing if an OpenTelemetry SDK in this process has loaded the API; otherwise `undefined`, without loading it. */
const tracingOf = async (): Promise<Tracing | undefined> =>
  isApiLoaded() ? (await import('./tracing/create-tracing.ts')).installedTracing() : undefined

const listenForMetrics = async (
  metrics: Metrics | undefined,
  { metrics: address }: Config,
  logger: Logger,
): Promise<Listening | undefined> => {
  if (metrics === undefined || address === undefined) return undefined
  const { METRICS_PATH, serveMetrics } = await import('./metrics/serve-metrics.ts')
  const listening = await serveMetrics(metrics, address, logger).catch(adviseOnPort('COUNTERSIGN_METRICS_PORT'))
  logger.info('metrics_listening', { url: `${listening.url}${METRICS_PATH}` })
  return listening
}

/** Migrates the database, listens, and deletes expired rows. Leaves nothing open if the start fails. @throws StartupError */
export const serve = async (config: Config, options: ServeOptions): Promise<RunningServer> => {
  const { logger: given, signals = true, demoUser, ...listenOptions } = options
  const refusals = serveRefusals(config, listenOptions.host)
  if (refusals.length > 0) throw new StartupError(refusals)
  const metrics = await metricsOf(config)
  const logger = metrics?.countingLogger(given) ?? given
  const tracing = await tracingOf()
  let { port } = config
  for (const { name, nearest } of config.unknownVariables) logger.warn('unknown_variable', { name, nearest })
  if (config.nodeEnv === 'unknown') logger.warn('node_env_unknown', { known: nodeEnvironments })
  if (config.ignoresPort && listenOptions.port === undefined)
    logger.warn('port_ignored', { set: 'PORT', read: 'COUNTERSIGN_PORT' })
  const longer = keptLonger(config)
  if (longer !== undefined) logger.warn('retention_too_short', { variable: 'COUNTERSIGN_RETENTION_APPROVALS_DAYS', why: longer })
  const servedPort = () => port
  const opened = await openCountersign(config, { logger: given, servedPort, monitor: metrics, tracing })
  const { countersign } = opened
  let listening: Listening
  let metricsListening: Listening | undefined
  let endWaits: () => void
  let isDraining = false
  try {
    await migrate(opened.storage, config, logger)
    await requireWrites(opened.storage)
    await opened.announce()
    await announceReceiptKeys(opened, config, logger)
    // The first health check opens the cache, so that the first request finds it open and the log shows its problems.
    await countersign.health()
    const pages = await pagesOf(config, { relyingParty: relyingPartyOf(config, servedPort), demoUser })
    const pipeline = createAppPipeline(countersign, {
      parts: config.parts,
      version: readVersion(),
      ...pages,
      logger,
      trustProxy: config.trustProxy,
      logAddresses: config.logAddresses,
      corsOrigins: config.corsOrigins,
      onRequest: metrics?.request,
      tracing,
      isDraining: () => isDraining,
    })
    endWaits = pipeline.endWaits
    const handler = createNodeHandler(pipeline, logger, { inBatches: tracing === undefined })
    metricsListening = await listenForMetrics(metrics, config, logger)
    listening = await listen(handler, { host: config.host, port: config.port, ...listenOptions }).catch(
      adviseOnPort('COUNTERSIGN_PORT'),
    )
    port = listening.port
  } catch (error) {
    await metricsListening?.close(0)
    await opened.close()
    throw error
  }
  const stopSweeper = startSweeper(countersign, logger)

  const onSignal = (): void => {
    close().catch((error: unknown) => logger.error('close_failed', describeError(error)))
  }
  const leaveSignals = (): void => {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
  const stop = (): Promise<void> => {
    setTimeout(leaveSignals, SIGNAL_ECHO).unref()
    const onDrain = (): void => {
      isDraining = true
    }
    return stopServer({ opened, listening, metricsListening, endWaits, stopSweeper, onDrain }, config, logger)
  }
  let closing: Promise<void> | undefined
  let announce: () => void = () => {}
  const closed = new Promise<void>((resolve) => {
    announce = resolve
  })
  const close = (): Promise<void> => {
    closing ??= stop().finally(announce)
    return closing
  }
  if (signals) {
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  }
  // A program that reads this line may send a signal at once.
  logger.info('listening', { url: listening.url })
  return { url: listening.url, close, closed }
}
