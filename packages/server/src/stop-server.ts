import { setTimeout } from 'node:timers/promises'
import type { Logger } from '@countersign/core'
import type { Listening } from './adapters/node/listen.ts'
import type { OpenCountersign } from './compose.ts'
import type { Config } from './config/config.ts'
import type { MountableCountersign } from './handlers.ts'

/** Two seconds less than the usual limit of ten, because the end of a process takes time on a busy machine. */
const CLOSING_TIME = 8000

interface RunningParts {
  readonly opened: OpenCountersign<MountableCountersign>
  readonly listening: Listening
  readonly metricsListening: Listening | undefined
  /** Ends the requests that wait for a decision. */
  readonly endWaits: () => void
  readonly stopSweeper: () => Promise<void>
  /** Makes the health answer `draining`. */
  readonly onDrain: () => void
}

/** Ends the live streams, and answers requests as before, while load balancers see that this server is about to stop. */
const drain = async (
  { opened, listening, onDrain }: RunningParts,
  { drainTime }: Pick<Config, 'drainTime'>,
  logger: Logger,
): Promise<void> => {
  onDrain()
  // The clients turn to another server.
  opened.countersign.events?.end()
  if (drainTime === 0) return
  logger.info('draining', { seconds: drainTime / 1000 })
  listening.drain()
  await setTimeout(drainTime)
}

/** Stops a server in the order that `RunningServer.close` promises. */
export const stopServer = async (parts: RunningParts, config: Pick<Config, 'drainTime'>, logger: Logger): Promise<void> => {
  const { opened, listening, metricsListening, endWaits, stopSweeper } = parts
  await drain(parts, config, logger)
  const deadline = performance.now() + CLOSING_TIME
  logger.info('closing')
  endWaits()
  // Runs while the requests finish, so that a database that hangs does not make the server wait twice.
  void opened.leave()
  await listening.close(CLOSING_TIME)
  await stopSweeper()
  await opened.close(Math.max(0, deadline - performance.now()))
  // The metrics are served until the stop is complete.
  await metricsListening?.close(0)
  logger.info('closed')
}
