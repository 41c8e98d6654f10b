import pg from 'pg'

/** Milliseconds. */
const GOODBYE = 1000

/** Destroys the sockets of these connections after a second, because a hanging server never closes its side. */
export const hangUpLate = (clients: Iterable<pg.Client>): NodeJS.Timeout =>
  setTimeout(() => {
    for (const client of clients) client.connection.stream.destroy()
  }, GOODBYE)

/** A connection that is closed within a second after `end`, because a half-closed socket would keep the process alive. */
export class EndingClient extends pg.Client {
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // The open socket itself keeps the process alive until the timer fires.
    hangUpLate([this]).unref()
    if (callback === undefined) return super.end()
    super.end(callback)
    return undefined
  }
}

/** Ends a connection within a second, even if the server hangs. */
export const endClient = async (client: pg.Client): Promise<void> => {
  const late = hangUpLate([client])
  try {
    await client.end()
  } finally {
    clearTimeout(late)
  }
}
