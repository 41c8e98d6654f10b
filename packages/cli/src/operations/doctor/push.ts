import { once } from 'node:events'
import { connect } from 'node:net'
import { failureReason, type PushConfig } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

const CONNECT_WITHIN_MS = 2000

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** Checks that a server listens at the address of the webhook, without sending a message. */
const examineWebhook = async (address: string): Promise<Finding> => {
  const url = new URL(address)
  const socket = connect(portOf(url), url.hostname.replace(/^\[(.*)\]$/, '$1'))
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) })
    return ok(`webhook: ${url.origin} can be reached`)
  } catch (error) {
    return failed(`webhook: ${url.origin} cannot be reached: ${failureReason(error)}`)
  } finally {
    socket.destroy()
  }
}

/** Checks how devices are notified of pending confirmations. */
export const examinePush = async (push: PushConfig): Promise<Finding> => {
  if (push.provider === 'webhook') return examineWebhook(push.url)
  return push.provider === 'log' ? ok('log: messages are only logged') : notConfigured('devices ask for what is pending')
}
