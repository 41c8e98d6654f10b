import type { CallingService } from '../../identity/authentication/calling-service.ts'
import type { Requester } from '../confirmations/initiate.ts'

/** The caller who reads or withdraws an approval that was asked for: a user, in a session or through the host, or a service. */
export type Asker = { readonly caller: Requester } | { readonly service: CallingService }

/** An act of an asker on an approval. A service needs another scope for each act. */
export type AskerAct = 'read' | 'withdraw'

export type OfConfirmation = Asker & { readonly confirmationId: string }

export type OfRequest = Asker & { readonly approvalId: string }
