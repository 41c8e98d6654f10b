import { checkPushKey, failureReason, type PushConfig } from '@countersign/server'
import { tryConnection } from './address.ts'
import { type Finding, failed, notConfigured, ok, warning } from './check.ts'

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** Checks that a server listens at the address of the webhook, without sending a message. */
const examineWebhook = async (address: string): Promise<Finding> => {
  const url = new URL(address)
  try {
    await tryConnection(url.hostname.replace(/^\[(.*)\]$/, '$1'), portOf(url))
    return ok(`webhook: ${url.origin} can be reached`)
  } catch (error) {
    return failed(`webhook: ${url.origin} cannot be reached: ${failureReason(error)}`)
  }
}

/** Reads the key file of a provider, without sending a message. */
const examineKey = (push: PushConfig): Promise<Finding> =>
  checkPushKey(push).then(
    () => ok(`${push.provider}: the key can be read`),
    (error: unknown) => failed(error instanceof Error ? error.message : String(error)),
  )

const examineProvider = async (push: PushConfig): Promise<Finding> => {
  switch (push.provider) {
    case 'webhook':
      return examineWebhook(push.url)
    case 'webpush':
      return push.hosts.includes('*')
        ? warning('webpush: COUNTERSIGN_WEBPUSH_HOSTS is *, so users can make the server call any host on the internet')
        : ok(`webpush: push services reach you at ${push.subject}`)
    case 'fcm':
    case 'apns':
      return examineKey(push)
    case 'log':
      return ok('log: messages are only logged')
  }
}

export const examinePush = async (configs: readonly PushConfig[]): Promise<Finding> => {
  if (configs.length === 0) return notConfigured('devices ask for what is pending')
  const findings = await Promise.all(configs.map(examineProvider))
  const detail = findings.map((finding) => finding.detail).join('; ')
  const worst = (['failed', 'warning'] as const).find((one) => findings.some(({ status }) => status === one))
  return { status: worst ?? 'ok', detail }
}
