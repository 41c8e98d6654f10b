import pg from 'pg'
import type { ConnectionSettings } from './servers/connector.ts'

/** Milliseconds in which a connection is made. */
export const CONNECT_TIMEOUT = 3000
/** Milliseconds of silence after which the system asks the other side of a connection whether it is still there. */
const KEEP_ALIVE_AFTER = 10_000

type Parse = (text: string) => unknown

/** 64-bit integers are instants, counts and ids here, all below 2^53. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(oid, format) as Parse)

/** Of every connection, whatever it is for. */
export const connectionSettings: ConnectionSettings = {
  application_name: 'countersign',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
  types: { getTypeParser },
}
