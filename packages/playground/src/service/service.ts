import { type Client, createClient } from '@countersign/client-sdk'
import { liveEvents } from '@countersign/client-sdk/events'
import { recordingFetch } from './calls.ts'

/** The URL of the service, which served this page. The URL may have a path prefix. */
export const serviceUrl = new URL('.', location.href).href.replace(/\/$/, '')

/** Creates the client of the page. The log shows exactly the calls of the person, so none is retried. */
export const createService = (accessToken: () => Promise<string | undefined>): Client =>
  createClient({
    baseUrl: serviceUrl,
    fetch: recordingFetch,
    retries: 0,
    events: (options) => liveEvents({ ...options, accessToken }),
  })
