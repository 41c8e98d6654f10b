import type { ConnectionSettings } from './servers/connector.ts'
import { valueTypes } from './value-types.ts'

/** Milliseconds in which a connection is made. */
export const CONNECT_TIMEOUT = 3000
/** Milliseconds of silence after which the operating system probes the other side of a connection. */
const KEEP_ALIVE_AFTER = 10_000

export const connectionSettings: ConnectionSettings = {
  application_name: 'countersign',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
  types: valueTypes,
}

/** The milliseconds after which a connection is replaced, by default. */
export const DEFAULT_MAX_AGE = 1_800_000
/** The least share of the age at which a connection ends. The share is random, so that not all are replaced at once. */
const LEAST_SHARE_OF_AGE = 0.8

/** Returns the time (`performance.now()`) at which a new connection is to be replaced. */
export const endOfLife = (maxAge: number): number =>
  performance.now() + maxAge * (LEAST_SHARE_OF_AGE + (1 - LEAST_SHARE_OF_AGE) * Math.random())
