import { createClient } from '@redis/client'

/** Sends one command to a Redis, on a connection of its own, as an operator would. */
export const redisCommand = async (url: string, ...command: readonly string[]): Promise<unknown> => {
  const client = createClient({ url, RESP: 2, disableClientInfo: true, socket: { reconnectStrategy: false } })
  // What goes wrong rejects the command.
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}
