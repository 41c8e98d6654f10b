import { type Client, createClient } from '@countersign/client-sdk'
import type { PaneName } from '../pane/pane.ts'
import { recordingFetch } from './calls.ts'

/** Where the service is: where the page came from, below a prefix too. */
export const serviceUrl = new URL('.', location.href).href.replace(/\/$/, '')

/**
 * The client of one pane. Every call that the page makes goes through one of these, and so into the log: each as it is
 * made, and none that was not asked for.
 */
export const createService = (pane: PaneName): Client =>
  createClient({ baseUrl: serviceUrl, fetch: recordingFetch(pane), retries: 0 })
