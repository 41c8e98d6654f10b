import { signal } from '@preact/signals'

/**
 * Whether the browser stores data for this page. If a person blocks site data, the storages of the browser still exist, but each
 * access fails.
 */
export const storesData = signal(true)

export class DataRefused extends Error {
  override readonly name = 'DataRefused'
}

/** Notes that the browser refused to store data, and returns the error that says so. */
export const refuseData = (cause?: unknown): DataRefused => {
  storesData.value = false
  return new DataRefused('This browser does not store data for this page, so it cannot keep the key of a device.', { cause })
}
