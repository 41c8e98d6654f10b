import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errors } from '../index.ts'
import * as storage from './index.ts'

it('the entry exports these names and no others', () => {
  expect(Object.keys(storage).sort()).toMatchInlineSnapshot(`
    [
      "CLOCK_TOLERANCE",
      "DataMoveDiffers",
      "DataMoveRefused",
      "OtherIsolationLevel",
      "Overloaded",
      "SERVER_GONE_AFTER",
      "Unavailable",
      "allParts",
      "boundText",
      "builtInSchemas",
      "checkedParts",
      "decideRateLimit",
      "endsThatKeepWork",
      "erasedField",
      "examineClock",
      "examineSchema",
      "examineSealedFields",
      "fold",
      "giveBackToState",
      "idleFrom",
      "isSchemaName",
      "lostFields",
      "oldSpellings",
      "percentEncodeAdvice",
      "productSchemaKey",
      "rolesOf",
      "rotateSealedFields",
      "schemaNames",
      "sealedColumns",
      "searchedText",
      "splitUrl",
      "sqlitePathFault",
      "takeFromState",
    ]
  `)
})

it('the entry exports the same error classes as the entry for hosts', () => {
  const { DataMoveDiffers, DataMoveRefused, Unavailable } = storage
  expect(errors).toMatchObject({ DataMoveDiffers, DataMoveRefused, Unavailable })
})

it('the entry has at most 150 names for the author of an adapter to know', () => {
  const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim() !== ''),
  )
  expect(names.length).toBeGreaterThan(100)
  expect(names.length).toBeLessThanOrEqual(150)
})
