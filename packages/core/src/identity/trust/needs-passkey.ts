import type { IdentityOptions } from '../options.ts'
import type { Device } from '../records/device.ts'

/** The option that decides whether a device of the approver approves by its key alone. */
export type VerificationOption = Pick<IdentityOptions, 'approverVerification'>

/** Returns whether a device approves nothing by its key alone: the approver registered it, and the host asks for a passkey. */
export const needsPasskey = (
  { approverVerification }: VerificationOption,
  { registeredWith }: Partial<Pick<Device, 'registeredWith'>>,
): boolean => approverVerification === 'always' && registeredWith === 'approver'
