import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { valueTypes } from '../value-types.ts'
import { endClient } from './end-client.ts'
import { isWanted, type Servers, type SessionAttributes } from './read-servers.ts'

/** Identifies one run of a server process, from its start to its end. */
export type ServerRun = string

/** The properties of an accepted connection. */
export interface Admission {
  readonly run: ServerRun
  /** False behind a pooler, which hands the sessions of the server to several clients. */
  readonly isDirect: boolean
  /** The number of the server process, `pid` in `pg_stat_activity`. */
  readonly process: number
}

export type ConnectionSettings = Omit<pg.ClientConfig, 'connectionString'>

/** Chooses among the servers of a URL, for everything that connects to them. */
export interface Connector {
  readonly count: number
  /** Returns the driver's settings for the server to try now. */
  settings(): pg.ClientConfig
  /** Moves on to the next server, unless another one was chosen since these settings were returned. */
  passOver(tried: pg.ClientConfig): void
  /** Checks a new connection. @throws Error if its server does not match `target_session_attrs` */
  admit(client: pg.ClientBase): Promise<Admission>
  /** The server run that accepted the newest connection. A connection to an older run is not used again. */
  readonly run: ServerRun | undefined
  /** Opens a separate connection, trying each server once. */
  connect(further?: ConnectionSettings): Promise<{ readonly client: pg.Client; readonly run: ServerRun }>
}

interface SessionState {
  readonly standby: boolean
  readonly read_only: boolean
  readonly run: ServerRun
  readonly process: number
}

/** The driver's types omit the process id that the server announced (BackendKeyData). */
type Announced = pg.ClientBase & { readonly processID?: number | null }

/** Milliseconds. */
const STATE_TIMEOUT = 1000

const SESSION_STATE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only,
  pg_postmaster_start_time()::text as run, pg_backend_pid() as process`

/**
 * Turns `row_security` off too: a statement whose rows a policy would hide then fails, instead of missing the end of a session.
 * Behind a pooler the session belongs to others too, so its setting stays (see `ping`).
 */
const OWN_SESSION_STATE = `${SESSION_STATE},
  case when pg_backend_pid() = $1 then set_config('row_security', 'off', false) end`

export const connector = ({ urls, attributes }: Servers, base: ConnectionSettings): Connector =>
  connectorOf(
    urls.map((url): pg.ClientConfig => ({ ...base, connectionString: url })),
    attributes,
    ({ processID }) => ({ text: OWN_SESSION_STATE, values: [processID ?? null] }),
  )

/** Makes the connector for the server of a host's pool. Its sessions belong to the host, so their settings stay. */
export const hostConnector = ({ options }: pg.Pool, base: ConnectionSettings): Connector =>
  // The pool hides its password from copies. Its limit for the time of a query is one for the host's own queries.
  connectorOf([{ ...options, password: options.password, query_timeout: undefined, ...base }], 'any', () => ({
    text: SESSION_STATE,
    values: [],
  }))

const connectorOf = (
  choices: readonly pg.ClientConfig[],
  attributes: SessionAttributes,
  stateOf: (client: Announced) => { readonly text: string; readonly values: unknown[] },
): Connector => {
  let chosen = 0
  let run: ServerRun | undefined

  const settings = (): pg.ClientConfig => {
    const choice = choices[chosen]
    if (choice === undefined) throw new Error('the URL names no server')
    return choice
  }

  const passOver = (tried: pg.ClientConfig): void => {
    if (choices[chosen] === tried) chosen = (chosen + 1) % choices.length
  }

  const admit = async (client: Announced): Promise<Admission> => {
    const question = { ...stateOf(client), types: valueTypes, query_timeout: STATE_TIMEOUT }
    const { rows } = await client.query<SessionState>(question)
    const state = rows[0]
    if (state === undefined) throw new Error('the server does not say what it is')
    if (!isWanted(attributes, { standby: state.standby, readOnly: state.read_only }))
      throw new OperatorError(`the server is not ${attributes}, which target_session_attrs asks for`, {
        reason: 'database_read_only',
      })
    run = state.run
    // A pooler announces a number of its own, because one client connection uses several server processes.
    return { run, isDirect: client.processID === state.process, process: state.process }
  }

  const connectTo = async (server: pg.ClientConfig, further: ConnectionSettings | undefined) => {
    const client = new pg.Client({ ...server, ...further })
    // An error without a listener would end the process. The caller learns of a lost connection anyway.
    client.on('error', () => {})
    try {
      await client.connect()
      return { client, run: (await admit(client)).run }
    } catch (error) {
      endClient(client).catch(() => {})
      throw error
    }
  }

  return {
    count: choices.length,
    settings,
    passOver,
    admit,
    get run() {
      return run
    },
    connect: async (further) => {
      for (let attempt = 1; ; attempt += 1) {
        const server = settings()
        try {
          return await connectTo(server, further)
        } catch (error) {
          passOver(server)
          if (attempt === choices.length) throw error
        }
      }
    },
  }
}
