import { getRequestListener } from '@hono/node-server'
import { fastify } from 'fastify'
import { callerOf } from '../caller-of.ts'
import { closeOnSignals } from '../close-on-signals.ts'
import { open } from '../open.ts'

const { countersign, fetch, host, port, close } = await open()

const app = fastify()

// Countersign's paths, in a scope of their own, where Fastify parses no body: Countersign reads it itself.
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  const listener = getRequestListener(fetch)
  for (const path of ['/api/*', '/internal/*', '/health']) {
    scope.all(path, async (request, reply) => {
      reply.hijack()
      await listener(request.raw, reply.raw)
    })
  }
})

// The host's own.
app.get('/hello', async (request, reply) => {
  const caller = await callerOf(countersign, request.headers.authorization)
  if (caller === undefined) return reply.code(401).send({ message: 'Please sign in' })
  return { message: `Hello, ${caller.email}` }
})

app.addHook('onClose', close)
console.log(await app.listen({ host, port }))
closeOnSignals(() => app.close())
