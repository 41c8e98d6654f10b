import { type Client, createClient } from '@countersign/client-sdk'
import type { PaneName } from '../pane/pane.ts'
import { recordingFetch } from './calls.ts'

/** The URL of the service, which served this page. The URL may have a path prefix. */
export const serviceUrl = new URL('.', location.href).href.replace(/\/$/, '')

/**
 * Creates the client of one pane. Every call of the page goes through a client, and so into the log. The client retries
 * nothing, so that the log shows exactly the calls of the person.
 */
export const createService = (pane: PaneName): Client =>
  createClient({ baseUrl: serviceUrl, fetch: recordingFetch(pane), retries: 0 })
