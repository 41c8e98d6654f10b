import type pg from 'pg'

/** Milliseconds. */
const GOODBYE = 1000

/** Hangs up on all of them in a second: for connections whose other side may not hear that they are ended. */
export const hangUpLate = (clients: Iterable<pg.Client>): NodeJS.Timeout =>
  setTimeout(() => {
    for (const client of clients) client.connection.stream.destroy()
  }, GOODBYE)

/** Ends a connection, in a second at most, whether or not the other side hears of it. */
export const endClient = async (client: pg.Client): Promise<void> => {
  const late = hangUpLate([client])
  try {
    await client.end()
  } finally {
    clearTimeout(late)
  }
}
