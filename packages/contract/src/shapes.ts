import type { z } from 'zod'
import type { OperationName } from './operations/index.ts'
import { confirmationShapes } from './schemas/approvals/confirmations.ts'
import { eventShapes } from './schemas/approvals/events.ts'
import { historyShapes } from './schemas/approvals/history.ts'
import { receiptShapes } from './schemas/approvals/receipts.ts'
import { approvalRequestShapes } from './schemas/approvals/requests.ts'
import { serviceShapes } from './schemas/approvals/services.ts'
import { accountShapes } from './schemas/identity/account.ts'
import { authShapes } from './schemas/identity/auth.ts'
import { deviceShapes } from './schemas/identity/devices.ts'
import { internalShapes } from './schemas/identity/internal.ts'
import { mobileShapes } from './schemas/identity/mobile.ts'
import { passkeyShapes } from './schemas/identity/passkeys.ts'
import { productSchemaShapes } from './schemas/projects/product-schemas.ts'
import { projectShapes } from './schemas/projects/projects.ts'

/** The schemas of input and output for every operation. The table of operations says where each input member travels. */
export const shapes = {
  ...authShapes,
  ...accountShapes,
  ...deviceShapes,
  ...mobileShapes,
  ...passkeyShapes,
  ...confirmationShapes,
  ...serviceShapes,
  ...historyShapes,
  ...eventShapes,
  ...receiptShapes,
  ...approvalRequestShapes,
  ...internalShapes,
  ...projectShapes,
  ...productSchemaShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>

/** The same type with `null` allowed for each optional member. `null` means that the member is absent. */
type NullForAbsent<T> = T extends object
  ? [keyof T] extends [never]
    ? T
    : { [K in keyof T]: undefined extends T[K] ? NullForAbsent<T[K]> | null : NullForAbsent<T[K]> }
  : T

/** The same type with intersections merged, so that editors show members instead of names. */
type Expanded<T> = T extends object ? ([keyof T] extends [never] ? T : { [K in keyof T]: Expanded<T[K]> }) : T

/** The input that a caller sends. */
export type Input<N extends OperationName> = NullForAbsent<z.input<(typeof shapes)[N]['input']>>
/** The input after the check: what an operation works with. */
export type Checked<N extends OperationName> = z.output<(typeof shapes)[N]['input']>
/** The output that a caller receives, without the envelope. */
export type Output<N extends OperationName> = Expanded<z.output<(typeof shapes)[N]['output']>>
