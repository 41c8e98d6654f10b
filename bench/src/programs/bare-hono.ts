import { Hono } from 'hono'
import { listen } from '../harness/listen.ts'
import { answerCalls } from '../harness/program.ts'

/** Headers that Node adds to every response. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** Opens one route in the fastest way of Hono, with the headers and body of the response at an address. Resolves with its URL. */
export const program = answerCalls(async (given: { readonly url: string; readonly headers: Record<string, string> }) => {
  const answer = await fetch(given.url, { headers: given.headers })
  if (!answer.ok) throw new Error(`${given.url} was answered with ${answer.status}`)
  const headers = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
  const body = await answer.text()
  return listen(new Hono().get(new URL(given.url).pathname, () => new Response(body, { headers })))
})
