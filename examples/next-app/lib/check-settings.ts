import { createServerSession } from '@countersign/client-sdk/server'
import { settings } from './settings.ts'

/**
 * Says which setting is wrong and ends the process, or does nothing. This function has a file of its own, because Next builds no
 * middleware for Edge that imports `process.exit`.
 */
export const checkSettings = (): void => {
  try {
    createServerSession({ ...settings(), request: { headers: {} } })
  } catch (error) {
    console.error(`COUNTERSIGN_URL or SESSION_SECRET is wrong: ${String(error)}`)
    process.exit(1)
  }
}
