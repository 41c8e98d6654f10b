import pg from 'pg'

/** Milliseconds. */
const GOODBYE = 1000

/** Hangs up on all of them in a second: for connections whose other side may not hear that they are ended. */
export const hangUpLate = (clients: Iterable<pg.Client>): NodeJS.Timeout =>
  setTimeout(() => {
    for (const client of clients) client.connection.stream.destroy()
  }, GOODBYE)

/**
 * A connection that is gone a second after its end at the latest, whoever ends it and whether or not the other side hears of
 * it. A pool ends what it gives up without waiting for it, so each sees to that itself: a server that hangs never closes its
 * side, and a socket that is closed on one side only keeps the process.
 */
export class EndingClient extends pg.Client {
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // While there is something to hang up on, that keeps the process, so the timer need not.
    hangUpLate([this]).unref()
    if (callback === undefined) return super.end()
    super.end(callback)
    return undefined
  }
}

/** Ends a connection, in a second at most, whether or not the other side hears of it. */
export const endClient = async (client: pg.Client): Promise<void> => {
  const late = hangUpLate([client])
  try {
    await client.end()
  } finally {
    clearTimeout(late)
  }
}
