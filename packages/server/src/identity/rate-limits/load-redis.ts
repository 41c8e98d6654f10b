import type * as Redis from '@redis/client'
import { whyNotLoaded } from '../../optional-packages.ts'

/** Loads the driver of Redis. @throws StartupError if it is not installed */
export const loadRedis = async (): Promise<typeof Redis> => {
  try {
    return await import('@redis/client')
  } catch (error) {
    throw whyNotLoaded('@redis/client', error)
  }
}
