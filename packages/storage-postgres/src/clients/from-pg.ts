import type { StatedClient } from './from.ts'

/** A `Client` or a `PoolClient` of the driver `pg`. A `Pool` lacks the second method. */
export interface PgClient extends StatedClient {
  getTypeParser(oid: number): unknown
}

/** Makes a client of the host from a client of the driver `pg`, on which the host ran `begin`. */
export const fromPg = (client: PgClient): StatedClient => client
