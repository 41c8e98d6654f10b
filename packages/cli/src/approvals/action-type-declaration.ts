import type { ActionType, ActionTypeRegistry, ActionTypeWithText } from '@countersign/core'
import type { JSONSchema } from 'json-schema-to-typescript'

/** The packages that export the interface `ActionTypes`. */
export const declaringPackages = ['@countersign/contract', '@countersign/client-sdk', '@countersign/core']

type Schema = JSONSchema & { readonly [keyword: string]: unknown }

/** Returns the schema without names of its own, so that its type is written in place and no name is taken twice. */
const withoutNames = ({ title: _, $id: _id, $schema: _schema, properties, items, ...rest }: Schema): Schema => ({
  ...rest,
  ...(properties !== undefined && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withoutNames(one as Schema)])),
  }),
  ...(items !== undefined && { items: withoutNames(items as Schema) }),
})

/** Returns the versions that apply, by the name of the type: the version without a tenant, and the version of each tenant. */
const applyingVersions = async ({ actionTypes }: ActionTypeRegistry): Promise<ReadonlyMap<string, readonly ActionType[]>> => {
  const { newestActive } = await import('@countersign/core')
  const types = new Set(actionTypes.map(({ type }) => type))
  const applying = [...types].flatMap((type) => newestActive(actionTypes, type) ?? [])
  return Map.groupBy(applying, ({ type }) => type.split('@')[0] ?? '')
}

/** Writes the TypeScript file that declares the registered types of actions for the package. */
export const declareActionTypes = async (
  registry: ActionTypeRegistry,
  show: (key: string) => Promise<ActionTypeWithText>,
  packageName: string,
): Promise<string> => {
  const { compile } = await import('json-schema-to-typescript')
  const properties: Record<string, JSONSchema> = {}
  for (const [name, versions] of await applyingVersions(registry)) {
    const schemas: Schema[] = []
    for (const { key } of versions) schemas.push(withoutNames(JSON.parse((await show(key)).schemaText) as Schema))
    const [only] = schemas
    properties[name] = schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  }
  const whole: JSONSchema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  const written = await compile(whole, 'ActionTypes', {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
  const lines = written
    .trim()
    .replace(/^export /, '')
    .split('\n')
  return [
    '// Written by `countersign action types`.',
    'export {}',
    '',
    `declare module '${packageName}' {`,
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
  ].join('\n')
}
