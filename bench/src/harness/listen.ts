import { serve } from '@hono/node-server'
import type { Hono } from 'hono'

/** Serves an app on a free port of the loopback address. Resolves with its URL. */
export const listen = ({ fetch }: Hono): Promise<string> =>
  new Promise((resolve) => {
    serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
