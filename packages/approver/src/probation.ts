import { CountersignError } from '@countersign/client-sdk'
import { signal } from '@preact/signals'
import { client, keep, phone } from './phone.ts'
import { settings } from './settings.ts'

type Vouching = Awaited<ReturnType<typeof client.devices.vouching>>

/** How this phone becomes trusted, as the service answered last. */
interface Probation {
  /** The credential of a person who has no key on this phone. */
  readonly credentialId: string | undefined
  /** When this phone becomes trusted by waiting; `null` if waiting does not help. */
  readonly trustedAt: string | null
  /** Whether another phone or passkey of the person could vouch. */
  readonly hasOther: boolean
  readonly vouching: Vouching
}

export const probation = signal<Probation>()

const none: Vouching = { status: 'none', matchNumber: null, expiresAt: null, triesLeft: 0 }

/** Nobody but a session of the new device or passkey, or the session that registered it, may read its vouching. */
const unlessHidden = (reading: Promise<Vouching>): Promise<Vouching> =>
  reading.catch((error: unknown) => {
    if (error instanceof CountersignError && error.status === 404) return none
    throw error
  })

/** The lists change rarely, and have a limit of their own: they are read again after this time only. */
const LISTS_FOR = 20_000
let lists: { readonly at: number; readonly read: ReturnType<typeof readLists> } | undefined

const readLists = async () => {
  const [{ devices }, { credentials }] = await Promise.all([client.devices.list(), client.passkeys.list()])
  return { devices, credentials }
}

const read = async (): Promise<Probation> => {
  const deviceId = phone.peek()?.deviceId ?? ''
  if (lists === undefined || Date.now() - lists.at > LISTS_FOR) lists = { at: Date.now(), read: readLists() }
  const { devices, credentials } = await lists.read.catch((error: unknown) => {
    lists = undefined
    throw error
  })
  const others = settings.passkeyApprovals ? [...devices, ...credentials] : devices
  const hasOther = others.some(({ id, trusted }) => trusted === true && id !== deviceId)
  if (deviceId !== '') {
    const trustedAt = devices.find(({ id }) => id === deviceId)?.trustedAt ?? null
    return { credentialId: undefined, trustedAt, hasOther, vouching: await unlessHidden(client.devices.vouching({ deviceId })) }
  }
  // The passkey of this session is the one whose vouching the service shows.
  for (const { id: credentialId, trusted, trustedAt = null } of credentials) {
    const vouching = trusted ? none : await unlessHidden(client.passkeys.vouching({ credentialId }))
    if (vouching !== none) return { credentialId, trustedAt, hasOther, vouching }
  }
  return { credentialId: undefined, trustedAt: null, hasOther, vouching: none }
}

/** Reads how this phone becomes trusted. A failure leaves the screen as it is: the page asks again soon. */
export const readProbation = async (): Promise<void> => {
  const kept = phone.peek()
  if (kept !== undefined && !kept.onProbation) keep({ ...kept, onProbation: true })
  probation.value = await read().catch(() => probation.peek())
}

/** Forgets the probation of a phone that is trusted now. */
export const endProbation = (): void => {
  const kept = phone.peek()
  if (kept?.onProbation) keep({ ...kept, onProbation: undefined })
  probation.value = undefined
}

/** Asks the other phones again, with a new number. */
export const askOthers = async (): Promise<void> => {
  const credentialId = probation.peek()?.credentialId
  try {
    await (credentialId === undefined
      ? client.devices.vouch({ deviceId: phone.peek()?.deviceId ?? '' })
      : client.passkeys.vouch({ credentialId }))
  } finally {
    await readProbation()
  }
}
