import { serve } from '@hono/node-server'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { open } from '../open.ts'
import { httpPush } from './http-push.ts'

const { PUSH_URL: url, PUSH_KEY: key } = process.env
if (url === undefined || key === undefined) throw new Error('PUSH_URL and PUSH_KEY must be set')

const { fetch, host, port, close } = await open({ push: httpPush({ url, key }) })
const server = serve({ fetch, hostname: host, port }, (address) => {
  console.log(`http://${host}:${address.port}`)
})
closeOnSignals(() => stopServing(server), close)
