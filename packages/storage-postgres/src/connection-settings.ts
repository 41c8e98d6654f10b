import pg from 'pg'
import type { ConnectionSettings } from './servers/connector.ts'

/** Milliseconds in which a connection is made. */
export const CONNECT_TIMEOUT = 3000
/** Milliseconds of silence after which the operating system probes the other side of a connection. */
const KEEP_ALIVE_AFTER = 10_000

type Parse = (text: string) => unknown

/** Every 64-bit integer of our tables is an instant, a count or an id below 2^53. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(oid, format) as Parse)

/** Reads the values of answers, as the stores need them. */
export const valueTypes: pg.CustomTypesConfig = { getTypeParser }

/** The settings of every connection. */
export const connectionSettings: ConnectionSettings = {
  application_name: 'countersign',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
  types: valueTypes,
}
