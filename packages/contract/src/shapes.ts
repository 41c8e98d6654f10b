import type { z } from 'zod'
import type { OperationName } from './operations/index.ts'
import { confirmationShapes } from './schemas/approvals/confirmations.ts'
import { authShapes } from './schemas/identity/auth.ts'
import { deviceShapes } from './schemas/identity/devices.ts'
import { internalShapes } from './schemas/identity/internal.ts'
import { mobileShapes } from './schemas/identity/mobile.ts'
import { passkeyShapes } from './schemas/identity/passkeys.ts'
import { productSchemaShapes } from './schemas/projects/product-schemas.ts'
import { projectShapes } from './schemas/projects/projects.ts'

/** The input and output of every operation. Where each input member travels is said by the table of operations. */
export const shapes = {
  ...authShapes,
  ...deviceShapes,
  ...mobileShapes,
  ...passkeyShapes,
  ...confirmationShapes,
  ...internalShapes,
  ...projectShapes,
  ...productSchemaShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>

/** The same with `null` allowed for each optional member, where it means that the member is absent. */
type NullForAbsent<T> = T extends object
  ? { [K in keyof T]: undefined extends T[K] ? NullForAbsent<T[K]> | null : NullForAbsent<T[K]> }
  : T

/** What a caller sends. */
export type Input<N extends OperationName> = NullForAbsent<z.input<(typeof shapes)[N]['input']>>
/** What an operation works with, once checked. */
export type Checked<N extends OperationName> = z.output<(typeof shapes)[N]['input']>
/** What a caller receives (inside the envelope, where there is one). */
export type Output<N extends OperationName> = z.output<(typeof shapes)[N]['output']>
