import { describe, expect, it } from 'vitest'
import { type Call, keepCall } from './keep-call.ts'

let id = 0
const aCall = (given: Partial<Call>): Call => {
  id += 1
  const path = '/pending'
  const call = { id, method: 'GET', path, status: 200, milliseconds: id, times: 1 } as const
  return { ...call, authorization: 'Bearer a', requestBody: '', responseBody: '[]', ...given }
}

const logOf = (...calls: readonly Partial<Call>[]): readonly (readonly [path: string, times: number])[] =>
  calls.reduce<readonly Call[]>((log, call) => keepCall(log, aCall(call)), []).map(({ path, times }) => [path, times])

describe('the log of calls', () => {
  it('counts repeated calls of two alternating paths without adding lines', () => {
    const status = { path: '/status', responseBody: 'pending' } as const
    expect(logOf({}, status, {}, status, {}, { method: 'POST', path: '/reject' }, status, {})).toEqual([
      ['/reject', 1],
      ['/status', 3],
      ['/pending', 4],
    ])
  })

  it('adds a line for another response or another token', () => {
    expect(logOf({}, { responseBody: '[1]' }, {}, { status: 401 }, { authorization: 'Bearer b' })).toHaveLength(5)
  })

  it('adds a line for each call that is not a GET', () => {
    expect(logOf({ method: 'POST' }, { method: 'POST' })).toHaveLength(2)
  })

  it('keeps the newest 200 lines', () => {
    const log = logOf(...Array.from({ length: 250 }, (_, at) => ({ path: `/${at}` })))
    expect(log).toHaveLength(200)
    expect(log[0]).toEqual(['/249', 1])
  })
})
