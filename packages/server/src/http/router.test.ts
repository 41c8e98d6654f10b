import { describe, expect, it } from 'vitest'
import { createRouter, type Route } from './router.ts'

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  errorForm: 'authentication',
  name: 'unknown',
  isRoutine: false,
  handle: () => ({ status: 200, body: null }),
})

const router = createRouter([
  route('GET', '/things'),
  route('GET', '/things/mine'),
  route('GET', '/things/{id}'),
  route('DELETE', '/things/{id}'),
  route('GET', '/things/all'),
  route('PUT', '/things/all'),
  route('POST', '/things/{id}/parts/{part}'),
  route('*', '/page/{file}'),
])
const pathOf = (method: string, path: string) => router.match(method, path)?.route.path

describe('the router', () => {
  it('finds the route for a method and a path', () => {
    expect(pathOf('GET', '/things')).toBe('/things')
    expect(pathOf('POST', '/things')).toBeUndefined()
  })

  it('returns path parameters by name, as written', () => {
    expect(router.match('GET', '/things/a-1_B')?.members).toEqual({ id: 'a-1_B' })
    expect(router.match('GET', '/things/%61.b')?.members).toEqual({ id: '%61.b' })
    expect(router.match('POST', '/things/1/parts/2')?.members).toEqual({ id: '1', part: '2' })
  })

  it('prefers a template without parameters', () => {
    expect(pathOf('GET', '/things/mine')).toBe('/things/mine')
    expect(pathOf('GET', '/things/all')).toBe('/things/all')
  })

  it('uses a template with parameters when the exact template lacks the method', () => {
    expect(pathOf('DELETE', '/things/all')).toBe('/things/{id}')
  })

  it('uses the GET route for HEAD', () => {
    expect(pathOf('HEAD', '/things/mine')).toBe('/things/mine')
    expect(pathOf('HEAD', '/things/1/parts/2')).toBeUndefined()
  })

  it('finds a route for all methods with every method', () => {
    for (const method of ['GET', 'POST', 'PURGE']) expect(pathOf(method, '/page/x.js')).toBe('/page/{file}')
  })

  it('returns the allowed methods of every template that matches a path', () => {
    expect(router.methodsOf('/things')).toEqual(['GET', 'HEAD'])
    expect(router.methodsOf('/things/all')).toEqual(['DELETE', 'GET', 'HEAD', 'PUT'])
    expect(router.methodsOf('/things/1/parts/2')).toEqual(['POST'])
    expect(router.methodsOf('/nothing')).toEqual([])
  })

  it.each(['/things/', '/things//', '/things/a/b', '/things/a/', '/things?', '/Things', '/xthings', '', '*', '/page', '/page/'])(
    'finds nothing at %j',
    (path) => {
      expect(pathOf('GET', path)).toBeUndefined()
      expect(router.methodsOf(path)).toEqual([])
    },
  )
})
