import { describe, expect, it } from 'vitest'
import { ClientError } from './client-error.ts'
import { createClient } from './create-client.ts'

const answering = (response: () => Response) => {
  const requests: Request[] = []
  const fetch = (request: Request) => {
    requests.push(request)
    return response()
  }
  return { requests, client: createClient({ baseUrl: 'https://auth.example.com', fetch }) }
}

describe('the client', () => {
  it('sends an operation as the contract lays it out and takes the output from its envelope', async () => {
    const { requests, client } = answering(() => Response.json({ data: { devices: [] } }))

    await expect(client.devices.list({}, { token: 'abc' })).resolves.toEqual({ devices: [] })

    expect(requests[0]?.method).toBe('GET')
    expect(requests[0]?.url).toBe('https://auth.example.com/api/v1/auth/devices')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer abc')
  })

  it('takes bare answers as they are', async () => {
    const { client } = answering(() => Response.json({ status: 'healthy' }))

    await expect(client.health.check({})).resolves.toEqual({ status: 'healthy' })
  })

  it('rejects with the status, the message and the time to wait that the service gave', async () => {
    const { client } = answering(() =>
      Response.json({ message: 'Rate limit exceeded', statusCode: 429 }, { status: 429, headers: { 'retry-after': '7' } }),
    )

    const failure = await client.auth.login({ email: 'a@example.com', password: 'x' }).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(ClientError)
    expect(failure).toMatchObject({ status: 429, message: 'Rate limit exceeded', retryAfter: 7 })
  })

  it('survives an error answer that is no JSON', async () => {
    const { client } = answering(() => new Response('<html>', { status: 502 }))

    await expect(client.health.check({})).rejects.toMatchObject({ status: 502, message: 'The service answered 502' })
  })
})
