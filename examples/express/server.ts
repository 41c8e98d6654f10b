import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { callerOf } from '../caller-of.ts'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { open } from '../open.ts'

const { countersign, fetch, host, port, close } = await open()

const app = express()
app.disable('x-powered-by')

// Countersign's paths, before every parser of bodies: it reads them itself. `app.all` leaves the request's URL as it came.
const listener = getRequestListener(fetch)
app.all(/^\/(api|internal|health)(\/|$)/, (request, response) => listener(request, response))

// The host's own.
app.use(express.json())
app.get('/hello', async (request, response) => {
  const caller = await callerOf(countersign, request.headers.authorization)
  if (caller === undefined) response.status(401).json({ message: 'Please sign in' })
  else response.json({ message: `Hello, ${caller.email}` })
})

const server = app.listen(port, host, (error) => {
  if (error !== undefined) throw error
  console.log(`http://${host}:${(server.address() as AddressInfo).port}`)
})
closeOnSignals(() => stopServing(server), close)
