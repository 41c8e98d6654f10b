import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a port of the loopback address that is free now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port on the loopback address')
  return address.port
}
