import type { Input, Output } from '@countersign/contract'
import { type OperationName, operations } from '@countersign/contract/operations'
import { approveConfirmation } from './approvals/approve-confirmation.ts'
import { awaitSettled } from './approvals/await-settled.ts'
import { callWithApproval, obtainApproval } from './approvals/obtain-approval.ts'
import { requestConfirmation } from './approvals/request-confirmation.ts'
import type { Client } from './client.ts'
import { currentFetch, toBaseUrl } from './http/base-url.ts'
import type { Call, CallOptions, InSteps } from './http/call.ts'
import { createCall } from './http/create-call.ts'
import type { Fetch } from './http/transfer.ts'
import { loginByDevice } from './identity/devices/login-by-device.ts'
import { registerDevice } from './identity/devices/register-device.ts'
import { createLogout } from './identity/logout.ts'
import { oneAtATime } from './identity/passkeys/ceremony.ts'
import { createPasskey } from './identity/passkeys/create-passkey.ts'
import { loginWithPasskey } from './identity/passkeys/login-with-passkey.ts'
import { listProjects } from './projects/list-projects.ts'
import { adoptedTokens } from './session/adopted-tokens.ts'
import { memoryTokenStore, type TokenStore } from './session/token-store.ts'
import type { Digest } from './shared/encoding/commitment.ts'
import { requireFunctions } from './shared/errors/countersign-error.ts'
import { requirePlatform, webCrypto } from './shared/platform.ts'
import { requireTimeout, within } from './shared/time/deadline.ts'

/** The options of `createClient`. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The URL of the service, such as `https://auth.example.com`, with or without a path. Without user, query and fragment. */
  readonly baseUrl: string
  /** The store for the tokens of the session; memory by default. */
  readonly store?: TokenStore
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: Fetch
  /** The time limit of a call in milliseconds, with retries and renewals: 30 000 by default; `Infinity` for no limit. */
  readonly timeout?: number
  /**
   * The number of retries for a GET after no response, status 429 or status 503: 2 by default. The client repeats no other request.
   */
  readonly retries?: number
  /**
   * The longest wait before a retry in milliseconds: 2000 by default, because a person waits; `Infinity` for any wait. If the
   * service asks for a longer wait, the call rejects immediately, with `retryAfter`.
   */
  readonly longestWait?: number
  /**
   * SHA-512 for platforms without WebCrypto, such as React Native. The client checks with this function what a device signs:
   * `devices.register`, `mobile.login` and `confirmations.approve` need it.
   */
  readonly sha512?: Digest
  /** SHA-256 for platforms without WebCrypto. Only `devices.register` needs this function. */
  readonly sha256?: Digest
}

/** The operations whose method has another name than the operation. */
export const methodNames = {
  'approvals.start': 'approvalRequests.start',
  'approvals.read': 'approvalRequests.read',
  'approvals.withdraw': 'approvalRequests.withdraw',
  'password.redeem': 'password.setWithCode',
} as const satisfies { readonly [N in OperationName]?: string }

/**
 * Makes a method for each operation of users, in groups: `auth.login` becomes `auth: { login }`. A client holds the session of a
 * user, so it has no methods for operations that need a service token.
 */
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
 * Creates a client of the service at `baseUrl`. The client sends requests only during calls, also for renewals. Create one
 * client for each user that is signed in at the same time.
 *
 * @throws CountersignError `VALIDATION_ERROR` for an option with a wrong value; `UNSUPPORTED` if the platform lacks what every
 *   client needs
 */
export const createClient = (given: ClientOptions): Client => {
  const {
    baseUrl,
    store = memoryTokenStore(),
    fetch = currentFetch,
    timeout = 30_000,
    retries = 2,
    longestWait = 2000,
    sha512 = (bytes) => webCrypto().digest('SHA-512', bytes),
    sha256 = (bytes) => webCrypto().digest('SHA-256', bytes),
  }: ClientOptions = { ...given }
  requirePlatform(fetch === currentFetch ? 'fetch' : 'Request', 'Request', 'AbortController', 'TextEncoder', 'atob', 'btoa')
  requireTimeout(timeout)
  requireFunctions('store', store, 'get', 'set', 'remove')
  requireFunctions('options', { fetch, sha512, sha256 }, 'fetch', 'sha512', 'sha256')
  const { call, session, refreshTokens, begin } = createCall({
    baseUrl: toBaseUrl(baseUrl),
    store,
    fetch,
    timeout,
    retries,
    longestWait,
  })
  const ceremony = oneAtATime()
  // The method has the time limit, so its steps have none.
  const inSteps: InSteps = async (given, run) => {
    const options = { ...given }
    return within(options.timeout ?? timeout, options.signal, (signal, uncounted) =>
      run({ ...options, signal, timeout: Infinity }, uncounted),
    )
  }
  const steps = { call, inSteps }
  const { logout, endSessions } = createLogout({ ...steps, store, session, refreshTokens })
  endSessions()

  const accessToken: Client['accessToken'] = async (options) => {
    const tokens = await inSteps(options, () => session.present(options?.timeout ?? timeout))
    return tokens?.accessToken
  }

  const signing = { ...steps, accessToken, sha512 }

  const settled: Client['confirmations']['settled'] = (confirmationId, options) => awaitSettled(call, confirmationId, options)

  const methods = methodsOf(callWithApproval(call)) as unknown as Client
  return {
    ...methods,
    accessToken,
    adopt: async (tokens) => begin(...adoptedTokens(tokens)),
    on: (name, listener) => session.on(name, listener, endSessions),
    auth: {
      ...methods.auth,
      logout: (input?: Partial<Input<'auth.logout'>>, options?: CallOptions): Promise<Output<'auth.logout'>> => {
        const { refreshToken } = input ?? {}
        return refreshToken === undefined ? logout(options) : call('auth.logout', { refreshToken }, options)
      },
    },
    devices: {
      ...methods.devices,
      register: (input, options) => registerDevice({ ...signing, awaitDecision: settled, sha256 }, input, options),
    },
    mobile: { ...methods.mobile, login: (input, options) => loginByDevice(signing, input, options) },
    passkeys: {
      ...methods.passkeys,
      create: (input, options) => createPasskey({ ...steps, ceremony, awaitDecision: settled }, input, options),
      login: (input, options) => loginWithPasskey({ ...steps, ceremony }, input, options),
    },
    confirmations: {
      ...methods.confirmations,
      request: (input, options) => requestConfirmation(call, input as Input<'confirmations.initiate'>, options),
      settled,
      requestApproval: (action, options = {}) => obtainApproval(call, action, options, options),
      approve: (confirmation, signer, options) => approveConfirmation(signing, confirmation, signer, options),
      reject: (confirmation, reason, options) => {
        const confirmationId = typeof confirmation === 'string' ? confirmation : confirmation?.confirmationId
        return call('confirmations.reject', { confirmationId, reason, notMe: options?.notMe }, options)
      },
    },
    projects: { ...methods.projects, list: (query, options) => listProjects(call, query, options) },
  }
}
