import { type OperationName, shapes } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import type { Client } from './client.ts'
import { createClient, methodNames } from './create-client.ts'
import { CountersignError } from './shared/errors/countersign-error.ts'

const answering = (response: () => Response) => {
  const requests: Request[] = []
  const fetch = (request: Request) => {
    requests.push(request)
    return response()
  }
  return { requests, client: createClient({ baseUrl: 'https://auth.example.com/', fetch, retries: 0 }) }
}

type MethodNames = typeof methodNames

/** The operations of users, for which the client type has no method. */
type Missing = {
  [N in Exclude<OperationName, 'events.stream'>]: (typeof operations)[N]['authentication'] extends 'service'
    ? never
    : (N extends keyof MethodNames ? MethodNames[N] : N) extends `${infer G}.${infer M}`
      ? G extends keyof Client
        ? M extends keyof Client[G]
          ? never
          : N
        : N
      : N
}[Exclude<OperationName, 'events.stream'>]

describe('the client', () => {
  it('has a method for every operation of the contract, except those that need a service token', () => {
    expectTypeOf<Missing>().toBeNever()
    const { client } = answering(() => Response.json({}))
    for (const [name, { authentication }] of Object.entries(operations)) {
      // The entry `events` reads the stream.
      if (name === 'events.stream') continue
      const [group = '', method = ''] = (methodNames[name as keyof MethodNames] ?? name).split('.')
      const made: unknown = (client as unknown as Record<string, Record<string, unknown>>)[group]?.[method]
      expect(typeof made, name).toBe(authentication === 'service' ? 'undefined' : 'function')
    }
  })

  it('has no method `verify`: that word is left to signatures', () => {
    const { client } = answering(() => Response.json({}))
    const methods = Object.values(client).flatMap((group) => Object.keys(Object(group)))
    expect(methods).toContain('introspect')
    expect(methods).not.toContain('verify')
  })

  it('sends a request as the contract prescribes, and returns the output without its envelope', async () => {
    const { requests, client } = answering(() => Response.json({ data: { devices: [] } }))

    await expect(client.devices.list({}, { token: 'abc' })).resolves.toEqual({ devices: [] })

    expect(requests[0]?.method).toBe('GET')
    expect(requests[0]?.url).toBe('https://auth.example.com/api/v1/auth/devices')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer abc')
  })

  it('needs no input for an operation without input', async () => {
    const { requests, client } = answering(() => Response.json({ data: { devices: [] } }))
    await expect(client.devices.list()).resolves.toEqual({ devices: [] })
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })

  it('returns responses without an envelope unchanged', async () => {
    const { client } = answering(() => Response.json({ status: 'healthy' }))
    await expect(client.health.check()).resolves.toEqual({ status: 'healthy' })
  })

  it('uses the fetch of the platform at the time of the call', async () => {
    const { fetch } = globalThis
    const client = createClient({ baseUrl: 'https://auth.example.com' })
    globalThis.fetch = async () => Response.json({ status: 'healthy' })
    try {
      await expect(client.health.check()).resolves.toEqual({ status: 'healthy' })
    } finally {
      globalThis.fetch = fetch
    }
  })
})

describe('a platform that lacks what the client needs', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(['Request', 'TextEncoder', 'fetch'] as const)('is named in the error when the client is created: %s', (name) => {
    vi.stubGlobal(name, undefined)
    expect(() => createClient({ baseUrl: 'https://auth.example.com' })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED', message: `This platform has no ${name}` }),
    )
  })

  it('needs no fetch of its own if the caller passes one', () => {
    vi.stubGlobal('fetch', undefined)
    expect(answering(() => Response.json({})).client).toBeDefined()
  })
})

describe('a response that Countersign never sends', () => {
  it.each([
    ['a page in place of JSON', () => new Response('<html>')],
    ['JSON that is not an object', () => Response.json('fine')],
    ['no envelope', () => Response.json({ devices: [] })],
    ['an empty response', () => new Response('')],
    ['a page with a status of its own', () => new Response('<html>', { status: 502 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example.com' } })],
    ['a redirect as a browser reports it', () => Response.error()],
  ])('rejects with UNEXPECTED_ANSWER: %s', async (_, response) => {
    const { client } = answering(response)
    const failure = await client.devices.list({}, { token: 'abc' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CountersignError)
    expect(failure).toMatchObject({ code: 'UNEXPECTED_ANSWER' })
  })
})

describe('a login that a proxy refuses with a page', () => {
  it.each([400, 401, 403, 404, 405])('is not reported as a wrong password: %i', async (status) => {
    const { client } = answering(() => new Response('<html>', { status }))
    const login = client.auth.login({ email: 'a@example.com', password: 'x' })
    await expect(login).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status, body: '<html>' })
  })
})

describe('a redirect', () => {
  it('is not followed, so that a password reaches no other server', async () => {
    const { requests, client } = answering(() => Response.json({ message: 'no', statusCode: 401 }, { status: 401 }))
    await expect(client.auth.login({ email: 'a@example.com', password: 'x' })).rejects.toMatchObject({ status: 401 })
    expect(requests[0]?.redirect).toBe('manual')
  })
})

describe('the options of a call', () => {
  it('have names that no input of an operation uses', () => {
    const membersOf = ({ input }: { input: unknown }) => Object.keys((input as { shape?: object }).shape ?? {})
    const members = new Set(Object.values(shapes).flatMap(membersOf))
    for (const option of ['token', 'signal', 'timeout', 'approval']) expect(members).not.toContain(option)
  })

  it('may be the first argument of a method without required input', async () => {
    const { requests, client } = answering(() => Response.json({ data: { devices: [] } }))
    await client.devices.list({ token: 'abc' })
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer abc')
    const aborted = AbortSignal.abort(new Error('the page was left'))
    await expect(client.devices.list({ signal: aborted })).rejects.toThrow('the page was left')
    await expect(client.projects.list({ limit: 5, signal: aborted } as { limit: number })).rejects.toThrow('the page was left')
    await expect(client.devices.list({ timeout: -1 })).rejects.toMatchObject({ details: { timeout: 'must be above 0' } })
    expect(requests).toHaveLength(1)
  })
})
