import { argon2Hasher, Unavailable } from '@countersign/core'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { answerCalls } from '../harness/calls.ts'
import type { ConstantAnswer } from './bare-hono.ts'

interface BareLogin extends ConstantAnswer {
  readonly password: string
  /** The number of hashes in parallel. */
  readonly hashes: number
  /** The response of a second route, which only answers. */
  readonly beside?: ConstantAnswer
}

/**
 * Opens one route that checks the password in a JSON body, behind the same queue as in Countersign, and then always gives the
 * same response. This is the cost of a password without database work. A full queue refuses the request. Resolves with the
 * URL.
 */
const open = async ({ path, headers, body, password, hashes, beside }: BareLogin): Promise<string> => {
  const hasher = argon2Hasher({ concurrency: hashes })
  const stored = await hasher.hash(password)
  const app = new Hono()
  app.post(path, async (c) => {
    const given: { readonly password: string } = await c.req.json()
    return (await hasher.verify(stored, given.password)) ? new Response(body, { headers }) : new Response(null, { status: 401 })
  })
  app.onError((error) => new Response(null, { status: error instanceof Unavailable ? 503 : 500 }))
  if (beside !== undefined) app.get(beside.path, () => new Response(beside.body, { headers: beside.headers }))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
}

export const methods = { open }

answerCalls(methods)
