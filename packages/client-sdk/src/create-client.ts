import type { Input } from '@countersign/contract'
import { type OperationName, operations } from '@countersign/contract/operations'
import { approveConfirmation } from './approvals/approve-confirmation.ts'
import { awaitSettled } from './approvals/await-settled.ts'
import type { ConfirmationMethods } from './approvals/methods.ts'
import { callWithApproval, obtainApproval } from './approvals/obtain-approval.ts'
import { requestDecision } from './approvals/request-decision.ts'
import { subjectsOf } from './approvals/subjects.ts'
import type { Client, LiveClient } from './client.ts'
import type { LiveEvents, LiveEventsOptions } from './events/index.ts'
import type { Call, CallOptions, InSteps, StepDeps } from './http/call.ts'
import { createCall } from './http/create-call.ts'
import { currentFetch, type Fetch, type Init, toBaseUrl } from './http/send.ts'
import { loginByDevice } from './identity/devices/login-by-device.ts'
import { registerDevice } from './identity/devices/register-device.ts'
import { createLogout } from './identity/logout.ts'
import { oneAtATime } from './identity/passkeys/ceremony.ts'
import { createPasskey } from './identity/passkeys/create-passkey.ts'
import { loginWithPasskey } from './identity/passkeys/login-with-passkey.ts'
import { listProjects } from './projects/list-projects.ts'
import { adoptedTokens } from './session/adopted-tokens.ts'
import { claimsOf } from './session/claims.ts'
import { memoryTokenStore, type TokenStore } from './session/token-store.ts'
import type { Digest } from './shared/encoding/commitment.ts'
import { requireFunctions } from './shared/errors/countersign-error.ts'
import { requirePlatform, webCrypto } from './shared/platform.ts'
import { requireTimeout, within } from './shared/time/deadline.ts'
import type { Milliseconds } from './shared/time/units.ts'

/** The options of `createClient`. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The URL of the service, such as `https://auth.example.com`, with or without a path. Without user, query and fragment. */
  readonly baseUrl: string
  /** The store for the tokens of the session; memory by default. */
  readonly store?: TokenStore
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: Fetch
  /** The time limit of a call, with retries and renewals: 30 000 by default; `Infinity` for no limit. */
  readonly timeout?: Milliseconds
  /** The number of retries for a GET after no response, status 429 or 503: 2 by default. No other request is repeated. */
  readonly retries?: number
  /** The longest wait before a retry: 2000 by default. If the service asks for more, the call rejects with `retryAfter`. */
  readonly longestWait?: Milliseconds
  /**
   * Has the client learn of decisions as they happen: `liveEvents` of `@countersign/client-sdk/events`. The client then has
   * `events`. While no stream is possible, waits ask at intervals.
   */
  readonly events?: (options: LiveEventsOptions) => LiveEvents | undefined
  /**
   * SHA-512 for platforms without WebCrypto, such as React Native. `devices.register`, `mobile.login` and `confirmations.approve`
   * check with it what a device signs.
   */
  readonly sha512?: Digest
  /** SHA-256 for platforms without WebCrypto. Only `devices.register` needs this function. */
  readonly sha256?: Digest
}

/** The operations whose method has another name than the operation. */
export const methodNames = {
  'approvals.start': 'approvalRequests.start',
  'approvals.list': 'approvalRequests.list',
  'approvals.read': 'approvalRequests.read',
  'approvals.stop': 'approvalRequests.stop',
  'approvals.withdraw': 'approvalRequests.withdraw',
  'confirmations.verify': 'confirmations.sendApproval',
  'internal.verify': 'internal.introspect',
  'password.redeem': 'password.setWithCode',
} as const satisfies { readonly [N in OperationName]?: string }

/** Takes the options from the input too: `devices.list({ signal })`. No input of an operation has the name of an option. */
const takingOptions =
  (call: Call): Call =>
  (name, input, options) => {
    const { token, signal, timeout, approval, ...rest } = { ...input } as CallOptions
    return call(name, rest as typeof input, { token, signal, timeout, approval, ...options } as CallOptions)
  }

/** Makes a method for each operation of users, in groups: `auth.login` becomes `auth: { login }`. */
const methodsOf = (call: Call): Record<string, Record<string, unknown>> => {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(operations) as OperationName[]) {
    if (operations[name].authentication === 'service') continue
    const [group = '', method = ''] = (methodNames[name as keyof typeof methodNames] ?? name).split('.')
    groups[group] ??= {}
    groups[group][method] = (input = {}, options?: CallOptions) => call(name, input as Input<OperationName>, options)
  }
  return groups
}

/**
 * Creates a client of the service at `baseUrl`, one for each user who is signed in at the same time. It sends requests only during
 * calls.
 * @throws CountersignError `VALIDATION_ERROR` for a wrong option; `UNSUPPORTED` if the platform lacks what every client needs
 */
export function createClient(given: ClientOptions & { readonly events: (options: LiveEventsOptions) => LiveEvents }): LiveClient
export function createClient(given: ClientOptions): Client
export function createClient(given: ClientOptions): Client {
  const {
    baseUrl: url,
    store = memoryTokenStore(),
    fetch = currentFetch,
    timeout = 30_000,
    retries = 2,
    longestWait = 2000,
    events = () => undefined,
    sha512 = (bytes) => webCrypto().digest('SHA-512', bytes),
    sha256 = (bytes) => webCrypto().digest('SHA-256', bytes),
  }: ClientOptions = { ...given }
  requirePlatform(fetch === currentFetch ? 'fetch' : 'Request', 'Request', 'AbortController', 'TextEncoder', 'atob', 'btoa')
  requireTimeout(timeout)
  requireFunctions('store', store, 'get', 'set', 'remove')
  requireFunctions('options', { fetch, sha512, sha256 }, 'fetch', 'sha512', 'sha256')
  const baseUrl = toBaseUrl(url)
  const sender = { baseUrl, fetch: (to: string, init: Init) => fetch(new Request(to, init)), retries, longestWait }
  const { call, session, refreshTokens, begin } = createCall(sender, store, timeout)
  // The method has the time limit, so its steps have none.
  const inSteps: InSteps = async (given, run) => {
    const options = { ...given }
    return within(options.timeout ?? timeout, options.signal, (signal, uncounted) =>
      run({ ...options, signal, timeout: Infinity }, uncounted),
    )
  }
  const accessToken: Client['accessToken'] = async (options) => {
    const tokens = await inSteps(options, () => session.present(options?.timeout ?? timeout))
    return tokens?.accessToken
  }
  const live = events({ baseUrl, fetch, accessToken })
  const subjects = subjectsOf(call)
  const waitFor = awaitSettled(live)
  const settled: ConfirmationMethods['settled'] = (confirmationId, options) =>
    waitFor(subjects.confirmation, confirmationId, options)
  const claims: StepDeps['claims'] = async (step) => claimsOf(step.token ?? (await accessToken(step)) ?? '')
  const steps = { call, inSteps, subjects, waitFor, settled, claims, sha512, sha256, ceremony: oneAtATime() }
  const { logout, endSessions } = createLogout({ ...steps, store, session, refreshTokens })
  endSessions()

  const methods = methodsOf(takingOptions(callWithApproval(steps))) as unknown as Client
  return {
    ...methods,
    me: methods.account.me,
    accessToken,
    events: live,
    adopt: async (tokens) => begin(...adoptedTokens(tokens)),
    on: (name, listener) => session.on(name, listener, endSessions),
    auth: {
      ...methods.auth,
      logout: (input?: Partial<Input<'auth.logout'>>, options?: CallOptions) =>
        input?.refreshToken === undefined ? logout(options) : call('auth.logout', input as Input<'auth.logout'>, options),
    },
    devices: {
      ...methods.devices,
      register: (input, options) => registerDevice(steps, input, options),
    },
    mobile: { ...methods.mobile, login: (input, options) => loginByDevice(steps, input, options) },
    passkeys: {
      ...methods.passkeys,
      create: (input, options) => createPasskey(steps, input, options),
      login: (input, options) => loginWithPasskey(steps, input, options),
    },
    confirmations: {
      ...methods.confirmations,
      request: (input, options) => requestDecision(waitFor, subjects.confirmation, input, options),
      settled,
      requestApproval: (action, options) => obtainApproval(steps, action, { ...options }, { ...options }),
      approve: (confirmation, signer, options) => approveConfirmation(steps, confirmation, signer, options),
      reject: (confirmation, reason, options) => {
        const confirmationId = typeof confirmation === 'string' ? confirmation : confirmation?.confirmationId
        return call('confirmations.reject', { confirmationId, reason, notMe: options?.notMe }, options)
      },
    },
    approvalRequests: {
      ...methods.approvalRequests,
      request: (input, options) => requestDecision(waitFor, subjects.request, input, options),
      settled: (approvalId, options) => waitFor(subjects.request, approvalId, options),
    },
    projects: { ...methods.projects, list: (query, options) => listProjects(takingOptions(call), query, options) },
  } as Client
}
