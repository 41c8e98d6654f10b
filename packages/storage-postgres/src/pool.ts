import pg from 'pg'

/** Milliseconds. Together they keep any request from hanging for more than five seconds where the server hangs. */
const CONNECT_TIMEOUT = 4000
const STATEMENT_TIMEOUT = 4000
/** Past the server's own time-out: for a server that does not even say that. */
const ANSWER_TIMEOUT = 5000
/** A transaction waits for nothing but its own statements. */
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000

type Parse = (text: string) => unknown

/** 64-bit integers are instants, counts and ids here, all below 2^53. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(oid, format) as Parse)

const base = (url: string): pg.PoolConfig => ({
  connectionString: url,
  application_name: 'countersign',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  types: { getTypeParser },
})

const withoutListener = (pool: pg.Pool): pg.Pool => {
  // An idle connection that breaks is replaced when one is asked for; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

export const createPool = (url: string, size: number): pg.Pool =>
  withoutListener(
    new pg.Pool({
      ...base(url),
      max: size,
      statement_timeout: STATEMENT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    }),
  )

/** One connection whose statements may take as long as they need, among them the wait for another's migration. */
export const createPatientPool = (url: string): pg.Pool => withoutListener(new pg.Pool({ ...base(url), max: 1 }))
