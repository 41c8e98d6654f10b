import { StartupError } from '@countersign/server'
import { type Opened, open } from '../../../open.ts'

/** Holds the one Countersign of the process. Next bundles each route separately and reloads modules during development. */
const shared = globalThis as { countersign?: Promise<Opened> }

/** Opens Countersign at the first call. */
export const opened = (): Promise<Opened> => {
  shared.countersign ??= open().catch((error: unknown) => {
    delete shared.countersign
    throw error
  })
  return shared.countersign
}

/** Opens Countersign, or says why it cannot be opened and ends the process. */
export const openedOrExit = async (): Promise<void> => {
  try {
    await opened()
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
}
