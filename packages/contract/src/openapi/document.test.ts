import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTS, { astToString } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { type Operation, type OperationName, operations } from '../operations/index.ts'
import { shapes } from '../shapes.ts'
import { rateLimitCategories } from '../vocabulary.ts'
import { openApiDocument } from './document.ts'
import { examples } from './examples/index.ts'

const document = openApiDocument({ version: '1.2.3' })
const json = JSON.stringify(document)

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly unknown[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: unknown
}

const described = (name: OperationName): Described => {
  const { path, method }: Operation = operations[name]
  return document.paths[path]?.[method.toLowerCase()] as Described
}

const names = Object.keys(operations) as OperationName[]

/** A body or an answer with an example, whatever its media type. */
const exampled = {
  content: expect.toSatisfy((types: object) => Object.values(types).every((one) => 'example' in one)) as unknown,
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(json) as Record<string, unknown>)
    expect({ valid, errors }).toStrictEqual({ valid: true, errors: undefined })
  })

  it('passes a strict linter, which also checks each example against its schema', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: json, absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toStrictEqual([])
  })

  it('can be converted to types by a public generator', async () => {
    const types = astToString(await openapiTS(json))
    expect(types).toContain('export interface paths')
    for (const name of ['TokenPair', 'Device', 'Project', 'Error', 'ProjectError']) expect(types).toContain(`        ${name}: {`)
    for (const name of names) expect(types).toContain(`"${name}": {`)
  })

  it.each(names)('describes who may call %s, and the responses', (name) => {
    const operation: Operation = operations[name]
    const { operationId, summary, security, responses } = described(name)
    expect({ operationId, summary }).toStrictEqual({ operationId: name, summary: operation.summary })
    expect(security.length).toBe(operation.authentication === 'none' ? 0 : 1)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(operation.success), '500', '503']))
    expect('401' in responses).toBe(operation.authentication !== 'none' || (operation.refusals ?? []).includes(401))
    expect('429' in responses).toBe(operation.rateLimit !== 'unlimited')
    const tellsOfItsLimit = JSON.stringify(responses[operation.success]).includes('RateLimitPolicy')
    expect(tellsOfItsLimit).toBe(rateLimitCategories.some((category) => category === operation.rateLimit))
  })

  it.each(names)('shows a valid request and a valid response of %s', (name) => {
    const { input, output } = examples[name]
    expect(shapes[name].input.safeParse(input).error).toBeUndefined()
    expect(shapes[name].output.parse(output)).toStrictEqual(output)
  })

  it.each(names)('describes %s in other words than its title, with an example of each body and answer', (name) => {
    const { summary, description, requestBody, responses } = described(name)
    const { success }: Operation = operations[name]
    expect(description).toMatch(/^[A-Z`].*\.$/)
    expect(description).not.toContain(summary)
    expect(requestBody ?? exampled).toMatchObject(exampled)
    expect(success === 204 ? exampled : responses[success]).toMatchObject(exampled)
  })

  it('says for each member of an input whether it is in the path, query, header or body', () => {
    const partsOf = (name: OperationName) => described(name).parameters?.map((one) => `${one.in} ${one.name}`)
    expect(partsOf('projects.countResources')).toStrictEqual(['path uniqueCode', 'query resourceTypes[]'])
    expect(partsOf('internal.verify')).toStrictEqual(['header X-Service-Name', 'query tenant', 'header Countersign-Extended'])
    expect(partsOf('auth.login')).toBeUndefined()
    expect(described('auth.login').requestBody).toMatchObject({
      content: { 'application/json': { schema: { required: ['email', 'password'] }, example: examples['auth.login'].input } },
    })
  })

  it('has only patterns that every validator can compile, which may not know the flag u', () => {
    const patterns = [...json.matchAll(/"pattern":"([^"]*)"/g)].map(([, pattern]) => pattern)
    expect(patterns.length).toBeGreaterThan(20)
    expect(patterns.filter((pattern) => pattern?.includes('\\\\p{'))).toEqual([])
  })

  it('describes in words the values that a field takes', () => {
    expect(json).toContain('"description":"must be a currency code of three capital letters"')
  })
})
