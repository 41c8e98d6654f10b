import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { callerOf } from '../caller-of.ts'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { open } from '../open.ts'

const { countersign, fetch, handles, host, port, close } = await open()

const app = express()
app.disable('x-powered-by')

// Countersign handles its requests before all body parsers, because it reads the bodies itself. All other requests, also
// below /api, go to the routes of the host.
const listener = getRequestListener(fetch)
app.use((request, response, next) => (handles(request.url) ? void listener(request, response) : next()))

app.use(express.json())
app.get('/api/orders', (_request, response) => {
  response.json({ orders: [] })
})
app.get('/hello', async (request, response) => {
  const caller = await callerOf(countersign, request.headers.authorization)
  if (caller === undefined) response.status(401).json({ message: 'Please sign in' })
  else response.json({ message: `Hello, ${caller.email}` })
})

const server = app.listen(port, host, (error) => {
  // Bun passes null if nothing failed.
  if (error) throw error
  console.log(`http://${host}:${(server.address() as AddressInfo).port}`)
})
closeOnSignals(() => stopServing(server), close)
