import type { IdentityStorage } from '../base-deps.ts'
import type { ServiceToken } from '../records/service-token.ts'

/**
 * Returns all service tokens, newest first, without the tokens themselves.
 * @example const tokens = await countersign.serviceTokens.list()
 */
export async function listServiceTokens({ storage }: IdentityStorage): Promise<readonly ServiceToken[]> {
  return storage.serviceTokens.list()
}
