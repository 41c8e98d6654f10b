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
