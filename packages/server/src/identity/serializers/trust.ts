import type { Output } from '@countersign/contract'
import type { Trust } from '@countersign/core'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'

type Device = Output<'devices.list'>['devices'][number]

/** Returns the members of an extended answer that show the trust of a device or passkey. */
export const serializeTrust = ({
  trusted,
  trustedAt,
}: Trust & { readonly trusted: boolean }): Pick<Device, 'trusted' | 'trustedAt'> => ({
  trusted,
  trustedAt: isoTimestampOrNull(trustedAt),
})
