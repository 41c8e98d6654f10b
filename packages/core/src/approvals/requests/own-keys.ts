import type { ApprovalDeps } from '../deps.ts'

/** Returns the public keys of a user's devices, removed devices included. */
export const keysOfUser = async ({ storage }: Pick<ApprovalDeps, 'storage'>, userId: number): Promise<ReadonlySet<string>> => {
  const devices = [...(await storage.devices.allOfUser(userId)), ...(await storage.devices.removedOfUser(userId))]
  return new Set(devices.map(({ publicKey }) => publicKey))
}
