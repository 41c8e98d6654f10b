import type { Output } from '@countersign/contract'
import type { Passkey } from './passkey.ts'

/** A passkey in the options for a browser (WebAuthn Level 3 §5.8.3). */
export type Descriptor = Output<'passkeys.beginLogin'>['publicKey']['allowCredentials'][number]

/**
 * Returns the descriptor of a passkey, without the algorithm of its key. An empty list of transports is left out, because both
 * mean that the transports are unknown.
 */
export const toDescriptor = ({ id, transports }: Pick<Passkey, 'id' | 'transports'>): Descriptor => ({
  type: 'public-key',
  id,
  ...(transports.length > 0 && { transports: [...transports] }),
})
