import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@countersign/core'
import { type Listening, listen } from '../adapters/node/listen.ts'
import { securityHeaders } from '../http/http-response.ts'
import { pathOfTarget } from '../http/paths.ts'
import { describeError } from '../logging/error-fields.ts'
import type { Metrics } from './create-metrics.ts'

/** The path at which Prometheus looks by default. */
export const METRICS_PATH = '/metrics'

export interface MetricsAddress {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
}

const answer = (outgoing: ServerResponse, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void => {
  const body = outgoing.req.method === 'HEAD' ? '' : text
  outgoing.writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(body)
}

const respond = async (metrics: Metrics, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const { method, url = '' } = incoming
  if (pathOfTarget(url) !== METRICS_PATH) return answer(outgoing, 404, 'Not found\n')
  if (method !== 'GET' && method !== 'HEAD') return answer(outgoing, 405, 'Method not allowed\n', { Allow: 'GET, HEAD' })
  return answer(outgoing, 200, await metrics.text(), { 'Content-Type': metrics.contentType })
}

/** Serves the metrics on a port of their own, so that no proxy of the main port can publish them. @throws StartupError */
export const serveMetrics = (metrics: Metrics, { host, port }: MetricsAddress, logger: Logger): Promise<Listening> =>
  listen(
    (incoming, outgoing) => {
      incoming.resume()
      respond(metrics, incoming, outgoing).catch((error: unknown) => {
        logger.error('metrics_failed', describeError(error))
        if (outgoing.headersSent) outgoing.destroy()
        else answer(outgoing, 500, 'Internal server error\n')
      })
    },
    { host, port },
  )
