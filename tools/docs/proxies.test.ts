import { operations } from '@countersign/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readDocuments } from './page.ts'

const page = readDocuments().find(({ path }) => path === 'docs/verifying-tokens.md')
const blocks = page?.blocks.filter(({ language }) => language === 'yaml' || language === 'nginx') ?? []
const { method, path, headers } = operations['internal.verify']
const nameHeader = headers.serviceName

/** Returns every text in a document, including field names. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
}

test('the page has settings for three proxies', () => {
  expect(blocks).toHaveLength(3)
})

test.each(blocks.map((block): [string, string] => [block.at, block.text]))(
  '%s calls the path of the contract, and sends the service name in its header',
  (_at, text) => {
    expect(text).toMatch(new RegExp(`${path}\\b`))
    expect(text.toLowerCase()).toContain(nameHeader.toLowerCase())
    // No other path below `/internal` appears.
    expect(text.match(/\/internal\/\w+/g)).toEqual([path])
  },
)

const [traefik, envoy] = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => parse(text) as unknown)

test('Traefik forwards the headers that the response depends on, and uses only middleware that it defines', () => {
  const { middlewares, routers } = (
    traefik as {
      readonly http: {
        readonly middlewares: Readonly<Record<string, unknown>>
        readonly routers: { readonly api: { readonly middlewares: readonly string[] } }
      }
    }
  ).http
  expect(textsOf(middlewares)).toEqual(expect.arrayContaining(['Authorization', nameHeader]))
  expect(routers.api.middlewares.filter((name) => !(name in middlewares))).toEqual([])
})

test('Envoy uses the method of the contract', () => {
  expect(textsOf(envoy).join('\n')).toContain(`[':method'] = '${method}'`)
})
