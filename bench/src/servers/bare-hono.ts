import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { answerCalls } from '../harness/calls.ts'

/** A response that never changes. */
export interface ConstantAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Opens one route that only answers, in the fastest way of Hono. Resolves with its URL. */
const open = ({ path, headers, body }: ConstantAnswer): Promise<string> => {
  const app = new Hono()
  app.get(path, () => new Response(body, { headers }))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
}

export const methods = { open }

answerCalls(methods)
