import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type Config, failureCode } from '@countersign/server'
import { type Finding, failed, ok, warning } from './check.ts'

const ANSWER_WITHIN_MS = 2000

/** Every address of this machine includes the loopback address. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

/** Returns the error code if no server can listen on this address, whatever the port. */
const addressFault = async (host: string): Promise<string | undefined> => {
  const server = createServer()
  try {
    await once(server.listen(0, host), 'listening')
    return undefined
  } catch (error) {
    return failureCode(error)
  } finally {
    server.close()
  }
}

/** Connects to an address for a moment, and sends nothing. @throws the reason why the address cannot be reached in time */
export const tryConnection = async (host: string, port: number): Promise<void> => {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  } finally {
    socket.destroy()
  }
}

/** Connects instead of listening, because two programs that listen for a moment would disturb each other. */
const isTaken = (host: string, port: number): Promise<boolean> =>
  tryConnection(host, port).then(
    () => true,
    () => false,
  )

/** Asks the server on an address whether it is a Countersign server. */
const isCountersign = async (place: string): Promise<boolean> => {
  try {
    const answer = await fetch(`http://${place}/health`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const body: unknown = await answer.json()
    return typeof body === 'object' && body !== null && 'services' in body && 'version' in body
  } catch {
    return false
  }
}

/** Checks the address on which `serve` listens. If a server of ours already listens there, that is not a fault. */
export const examineAddress = async ({
  host,
  port,
  ignoresPort,
}: Pick<Config, 'host' | 'port' | 'ignoresPort'>): Promise<Finding> => {
  const at = (name: string): string => `${name.includes(':') ? `[${name}]` : name}:${port}`
  const fault = await addressFault(host)
  if (fault !== undefined) return failed(`${at(host)} is no address on which a server here can listen (${fault})`)
  const isFree = port === 0 || !(await isTaken(reachable(host), port))
  if (!isFree && !(await isCountersign(at(reachable(host)))))
    return failed(`${at(host)} is in use by another program; set COUNTERSIGN_PORT to listen on another port`)
  if (ignoresPort) return warning(`${at(host)}; PORT is set and read by nothing: \`serve --port "$PORT"\` listens on it`)
  return ok(isFree ? at(host) : `${at(host)}: a server of Countersign answers`)
}
