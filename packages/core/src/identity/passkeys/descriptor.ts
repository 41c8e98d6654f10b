import type { Output } from '@countersign/contract'
import type { Passkey } from './passkey.ts'

/** How options name a passkey to browsers (WebAuthn Level 3 §5.8.3). */
export type Descriptor = Output<'passkeys.beginLogin'>['publicKey']['allowCredentials'][number]

/** Returns only what options show: the algorithm of a key is no part of it. No transports at all would mean that nothing is known of them, which is what leaving them out says. */
export const toDescriptor = ({ id, transports }: Pick<Passkey, 'id' | 'transports'>): Descriptor => ({
  type: 'public-key',
  id,
  ...(transports.length > 0 && { transports: [...transports] }),
})
