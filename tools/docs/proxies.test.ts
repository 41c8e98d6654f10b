import { operations } from '@countersign/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readDocuments } from './page.ts'

const page = readDocuments().find(({ path }) => path === 'docs/verifying-tokens.md')
const blocks = page?.blocks.filter(({ language }) => language === 'yaml' || language === 'nginx') ?? []
const { method, path, headers } = operations['internal.verify']
const nameHeader = headers.serviceName

/** Every text in a document, names of members included. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
}

test('there are settings for three proxies', () => {
  expect(blocks).toHaveLength(3)
})

test.each(blocks.map((block): [string, string] => [block.at, block.text]))(
  '%s asks at the path of the contract, and names the service in its header',
  (_at, text) => {
    expect(text).toMatch(new RegExp(`${path}\\b`))
    expect(text.toLowerCase()).toContain(nameHeader.toLowerCase())
    // Any other path within `/internal` is none.
    expect(text.match(/\/internal\/\w+/g)).toEqual([path])
  },
)

const [traefik, envoy] = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => parse(text) as unknown)

test('Traefik hands on what the answer depends on, and uses no middleware that it does not define', () => {
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

test('Envoy asks with the method of the contract', () => {
  expect(textsOf(envoy).join('\n')).toContain(`[':method'] = '${method}'`)
})
