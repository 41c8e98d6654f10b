import { type Opened, open } from '../../open.ts'

/** Next bundles each route for itself and, while developing, loads them anew: what there must be one of stands here. */
const shared = globalThis as { countersign?: Promise<Opened> }

/** Countersign, opened when it is first asked for. */
export const opened = (): Promise<Opened> => {
  shared.countersign ??= open().catch((error: unknown) => {
    delete shared.countersign
    throw error
  })
  return shared.countersign
}
