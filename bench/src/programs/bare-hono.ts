import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { answerCalls } from '../harness/program.ts'

/** Headers that Node adds to every response. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/**
 * Opens one route that only answers, in the fastest way of Hono, with the headers and body of the response at an address. Resolves
 * with its URL.
 */
export const program = answerCalls({
  open: async ({ url, headers: sent }: { readonly url: string; readonly headers: Record<string, string> }): Promise<string> => {
    const answer = await fetch(url, { headers: sent })
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
    const headers = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
    const body = await answer.text()
    const app = new Hono().get(new URL(url).pathname, () => new Response(body, { headers }))
    return new Promise((resolve) => {
      serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
    })
  },
})
