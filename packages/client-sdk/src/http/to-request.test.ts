import { operations } from '@countersign/contract/operations'
import { describe, expect, it } from 'vitest'
import { toRequest } from './to-request.ts'

describe('the layout of a request', () => {
  it('escapes the members in the path, and omits them from the body', () => {
    const layout = toRequest(operations['confirmations.reject'], { confirmationId: 'conf_a/b?c', reason: 'No' })

    expect(layout.path).toBe('/api/v1/auth/confirmation/conf_a%2Fb%3Fc/reject')
    expect(layout.body).toBe('{"reason":"No"}')
    expect(layout.headers['content-type']).toBe('application/json')
    expect(layout.headers['Countersign-Extended']).toBe('1')
  })

  it('puts the members of headers into headers', () => {
    const layout = toRequest(operations['internal.verify'], { serviceName: 'orders' })

    expect(layout.headers['X-Service-Name']).toBe('orders')
    expect(layout.path).toBe('/internal/verify')
    expect(layout.body).toBeUndefined()
  })

  it('puts the other members of a GET into the query: lists with brackets, and no absent members', () => {
    const layout = toRequest(
      { ...operations['devices.list'] },
      { page: 2, search: 'a&b', status: undefined, progress: null, types: ['x', 'y'] },
    )

    expect(layout.path).toBe('/api/v1/auth/devices?page=2&search=a%26b&types%5B%5D=x&types%5B%5D=y')
    expect(layout.body).toBeUndefined()
  })
})
