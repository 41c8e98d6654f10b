import { type Client, createClient } from '@countersign/client-sdk'
import { liveEvents } from '@countersign/client-sdk/events'
import { recordingFetch } from './calls.ts'

/** The URL of the service, which served this page. The URL may have a path prefix. */
export const serviceUrl = new URL('.', location.href).href.replace(/\/$/, '')

/**
 * Creates the client of the page, with live events. Every call goes into the log, and none is retried, so that the log shows
 * exactly the calls of the person.
 */
export const createService = (accessToken: () => Promise<string | undefined>): Client =>
  createClient({
    baseUrl: serviceUrl,
    fetch: recordingFetch,
    retries: 0,
    events: (options) => liveEvents({ ...options, accessToken }),
  })
