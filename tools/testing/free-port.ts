import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below those that systems give to outgoing connections and to servers without a choice, so none takes a returned port. */
const [FROM, BELOW] = [10_000, 32_000]

/** Returns a port of the loopback address that is free now. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FROM, BELOW)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
