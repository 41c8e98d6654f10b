import { Unavailable } from '@countersign/core/storage'
import type pg from 'pg'
import { endOfLife } from '../connection-settings.ts'
import { addTimeoutCode, asUnavailable, isUnansweredInTime } from '../errors.ts'
import { OperatorError } from '../operator-error.ts'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { endClient } from '../servers/end-client.ts'
import { type CheckedTables, requireUsable, TABLE_CHECK, tableCheckValues } from '../table-check.ts'
import { withTimeout } from '../with-timeout.ts'
import { cancelStatement } from './cancel-statement.ts'

/** The application name of the probing connection, as `pg_stat_activity` shows it. */
const PROBE = 'countersign-probe'
/** Milliseconds after which a statement is cancelled. A commit has no time limit on the server. */
const LONGEST_PROBE = 10_000
/** Milliseconds without a probe after which the connection is closed. */
const LONGEST_REST = 10_000
/** Milliseconds. */
const STATEMENT_TIMEOUT = 3500

const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`
/**
 * Makes a commit that waits for everything that other commits wait for: the log on the disk and the synchronous standbys. The
 * message is part of the log alone, so no row changes and no table grows. The counted numbers need more than the permitted memory,
 * so PostgreSQL writes some hundred kilobytes to a temporary file, which fails on a full disk. All is sent in one round trip.
 */
const WRITE = `begin;
set local work_mem = '64kB';
select count(*) from generate_series(1, 10000);
select pg_logical_emit_message(true, 'countersign', 'probe');
commit`

/** Asks whether the database accepts writes. */
export interface WriteProbe {
  /** Rejects with `Unavailable` if the database accepts no writes. Calls at the same time share one probe. */
  run(): Promise<void>
  close(): Promise<void>
}

interface WriteProbeOptions {
  /** The milliseconds after which the connection is replaced. */
  readonly maxAge: number
  /** The schema of the tables. */
  readonly schema: string
}

interface Session {
  readonly client: pg.Client
  readonly run: ServerRun
  readonly endsAt: number
}

/**
 * Creates the probe of writes. It has one connection of its own, so that a probe can wait for a hanging commit without taking a
 * connection from the pool. The connection is opened by a probe, and closed after some seconds without a probe.
 */
export const createWriteProbe = (servers: Connector, { maxAge, schema }: WriteProbeOptions): WriteProbe => {
  let session: Session | undefined
  let running: Promise<void> | undefined
  let resting: NodeJS.Timeout | undefined
  let isClosed = false

  const end = async (): Promise<void> => {
    clearTimeout(resting)
    const ended = session?.client
    session = undefined
    if (ended !== undefined) await endClient(ended).catch(() => {})
  }

  const open = async (): Promise<Session> => {
    const settings = { application_name: PROBE, statement_timeout: STATEMENT_TIMEOUT }
    const opened = { ...(await servers.connect(settings)), endsAt: endOfLife(maxAge) }
    const { client } = opened
    client.once('end', () => {
      if (session === opened) session = undefined
    })
    session = opened
    return opened
  }

  /** Returns a connection to the server that the pool uses too. */
  const current = async (): Promise<Session> => {
    clearTimeout(resting)
    if (session !== undefined && session.run !== servers.run) await end()
    return session ?? open()
  }

  const write = async ({ client }: Session): Promise<void> => {
    const { rows } = await client.query<{ readonly read_only: boolean }>(IS_READ_ONLY)
    if (rows[0]?.read_only !== false) throw new OperatorError('The database can only be read', { reason: 'database_read_only' })
    requireUsable((await client.query<CheckedTables>(TABLE_CHECK, tableCheckValues(schema))).rows[0])
    await client.query(WRITE)
  }

  const probe = async (): Promise<void> => {
    const probing = await current()
    try {
      await withTimeout(write(probing), LONGEST_PROBE, () => {})
    } catch (error) {
      if (isUnansweredInTime(error)) {
        session = undefined
        await cancelStatement(probing.client)
      } else await end()
      throw error
    }
    if (isClosed || performance.now() >= probing.endsAt) await end()
    else resting = setTimeout(() => void end(), LONGEST_REST).unref()
  }

  const probeOnce = async (): Promise<void> => {
    try {
      await probe()
    } catch (error) {
      addTimeoutCode(error)
      throw error instanceof Unavailable ? error : asUnavailable(error)
    }
  }

  return {
    run: () => {
      running ??= probeOnce().finally(() => {
        running = undefined
      })
      return running
    },
    close: async () => {
      isClosed = true
      const { client } = session ?? {}
      if (running !== undefined && client !== undefined) {
        session = undefined
        await cancelStatement(client)
      }
      await end()
    },
  }
}
