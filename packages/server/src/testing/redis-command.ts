import { createClient } from '@redis/client'

/** Sends one command to Redis on a separate connection. */
export const redisCommand = async (url: string, ...command: readonly string[]): Promise<unknown> => {
  const client = createClient({ url, RESP: 2, disableClientInfo: true, socket: { reconnectStrategy: false } })
  // An `error` event without a listener would end the process. The failure also rejects the command, so nothing is done here.
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}
