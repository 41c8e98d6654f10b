import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, describeHost, type Send } from '../../testing/describe-host.ts'
import { createWorkplace, type Workplace } from '../../testing/start-example.ts'
import * as api from './app/api/[[...path]]/route.ts'
import * as health from './app/health/[[...path]]/route.ts'
import * as hello from './app/hello/route.ts'
import * as verify from './app/internal/verify/route.ts'
import { register } from './instrumentation.ts'
import { opened } from './lib/countersign.ts'

/** The function that Next calls for a request, by the name of the method, as its documentation of route handlers says. */
type RouteHandler = (request: Request, context: { params: Promise<{ path?: string[] }> }) => Response | Promise<Response>
type Route = { readonly [method in 'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT']?: RouteHandler }

/** The routes by the paths of their folders. */
const routes: readonly (readonly [RegExp, Route])[] = [
  [/^\/api(\/|$)/, api],
  [/^\/health(\/|$)/, health],
  [/^\/internal\/verify$/, verify],
  [/^\/hello$/, hello],
]

/** Calls the handlers as Next does, with standard requests. */
const send: Send = async (path, init) => {
  const request = new Request(new URL(path, 'http://localhost:3000'), init)
  const route = routes.find(([pattern]) => pattern.test(path))?.[1]
  const handler = route?.[request.method as keyof Route]
  if (handler === undefined) throw new Error(`no handler for ${request.method} ${path}`)
  return handler(request, { params: Promise.resolve({ path: path.split('/').slice(2) }) })
}

let workplace: Workplace
const before = { ...process.env }
beforeAll(async () => {
  workplace = createWorkplace()
  await workplace.withCountersign(({ users }) => users.create(ada))
  Object.assign(process.env, workplace.env, { NEXT_RUNTIME: 'nodejs' })
  await register()
})
afterAll(async () => {
  await (await opened()).close()
  process.env = before
  workplace.remove()
})

it('a bad setting ends the process with a line that names it', () => {
  const script = `await (await import(${JSON.stringify(new URL('instrumentation.ts', import.meta.url).href)})).register()`
  const args = ['--conditions=@countersign/source', '--input-type=module', '-e', script]
  const env = { ...process.env, COUNTERSIGN_PORT: 'none', NEXT_RUNTIME: 'nodejs' }
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: workplace.directory, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('COUNTERSIGN_PORT')])
})

describeHost(send)
