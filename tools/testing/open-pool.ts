import pg from 'pg'
import { onTestFinished } from 'vitest'

/**
 * Opens a pool of connections for the running test. After the test it closes the pool and waits until every connection is closed,
 * so that the database can be dropped. `pool.end` does not wait: dropping the database would then end connections that are still
 * closing, and the pool would throw errors that no test catches.
 */
export const openPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config)
  const closed: Promise<void>[] = []
  pool.on('connect', (client) => closed.push(new Promise((resolve) => void client.once('end', resolve))))
  onTestFinished(async () => {
    await pool.end()
    await Promise.all(closed)
  })
  return pool
}
