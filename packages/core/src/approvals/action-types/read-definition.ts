import type { DisplayDefinition } from '@countersign/contract/display'
import { isSchemaObject } from '../../shared/draft-07.ts'
import { Invalid } from '../../shared/errors.ts'
import { inspectJson } from '../../shared/json/inspect-json.ts'
import { checkedDisplay } from './display-definition.ts'
import { DisplayRefused } from './errors.ts'

/** The content of the file that defines an action type. */
export interface ActionTypeDefinition {
  /** The JSON text of a draft-07 schema. */
  readonly schemaText: string
  readonly display: DisplayDefinition
}

const parse = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Invalid({ definition: 'must be JSON' }, { cause })
  }
  inspectJson(text)
  return value
}

/** Reads `{ "schema": {…}, "display": {…} }`. @throws Invalid, JsonRefused, DisplayRefused */
export const readDefinition = (definitionText: string): ActionTypeDefinition => {
  const definition = parse(definitionText)
  if (!isSchemaObject(definition) || !isSchemaObject(definition.schema)) {
    throw new Invalid({ definition: 'must be JSON with the members schema and display' })
  }
  const others = Object.keys(definition).filter((name) => name !== 'schema' && name !== 'display')
  if (others.length > 0) throw new DisplayRefused(['the definition has members besides schema and display'])
  return { schemaText: JSON.stringify(definition.schema), display: checkedDisplay(definition.display) }
}
