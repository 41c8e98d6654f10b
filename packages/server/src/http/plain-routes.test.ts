import { describe, expect, it } from 'vitest'
import { plainRoutes } from './plain-routes.ts'

const routeOf = plainRoutes([
  [{ method: 'GET', path: '/things' }, 'list'],
  [{ method: 'GET', path: '/things/mine' }, 'mine'],
  [{ method: 'GET', path: '/things/{id}' }, 'get'],
  [{ method: 'GET', path: '/things/all' }, 'shadowed'],
  [{ method: 'POST', path: '/things/{id}/parts/{part}' }, 'part'],
])
const target = (method: string, path: string) => routeOf(method, path)?.target

describe('a path that is written to the letter', () => {
  it('leads to the operation of its method', () => {
    expect(target('GET', '/things')).toBe('list')
    expect(target('POST', '/things')).toBeUndefined()
  })

  it('may have members, which are told by name', () => {
    expect(routeOf('GET', '/things/a-1_B')).toEqual({ target: 'get', members: { id: 'a-1_B' } })
    expect(routeOf('POST', '/things/1/parts/2')).toEqual({ target: 'part', members: { id: '1', part: '2' } })
  })

  it('leads to the first of those that match', () => {
    expect(target('GET', '/things/mine')).toBe('mine')
    expect(target('GET', '/things/all')).toBe('get')
  })

  it.each(['/things/', '/things//', '/things/a/b', '/things/%61', '/things/a?b', '/things?', '/things/a.b', '/Things', '', '*'])(
    'is not %j',
    (path) => expect(target('GET', path)).toBeUndefined(),
  )
})
