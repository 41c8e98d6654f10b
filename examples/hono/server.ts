import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { callerOf } from '../caller-of.ts'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { open } from '../open.ts'

const { countersign, fetch, handles, host, port, close } = await open()

const app = new Hono()

// Countersign handles its requests unchanged. All other requests, also below /api, go to the routes of the host.
app.use(async (c, next) => (handles(c.req.url) ? fetch(c.req.raw, c.env) : next()))

app.get('/api/orders', (c) => c.json({ orders: [] }))
app.get('/hello', async (c) => {
  const caller = await callerOf(countersign, c.req.header('authorization'))
  if (caller === undefined) return c.json({ message: 'Please sign in' }, 401)
  return c.json({ message: `Hello, ${caller.email}` })
})

const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
  console.log(`http://${host}:${address.port}`)
})
closeOnSignals(() => stopServing(server), close)
