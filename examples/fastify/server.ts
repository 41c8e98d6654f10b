import { getRequestListener } from '@hono/node-server'
import { fastify } from 'fastify'
import { callerOf } from '../caller-of.ts'
import { closeOnSignals } from '../close-on-signals.ts'
import { open } from '../open.ts'

const { countersign, fetch, handles, host, port, close } = await open()

const app = fastify()

// Countersign handles its requests before Fastify parses a body, because it reads the bodies itself. All other requests, also
// below /api, go to the routes of the host.
const listener = getRequestListener(fetch)
app.addHook('onRequest', async (request, reply) => {
  if (!handles(request.raw.url ?? '')) return
  reply.hijack()
  await listener(request.raw, reply.raw)
})

app.get('/api/orders', async () => ({ orders: [] }))
app.get('/hello', async (request, reply) => {
  const caller = await callerOf(countersign, request.headers.authorization)
  if (caller === undefined) return reply.code(401).send({ message: 'Please sign in' })
  return { message: `Hello, ${caller.email}` }
})

app.addHook('onClose', close)
closeOnSignals(() => app.close())
console.log(await app.listen({ host, port }))
