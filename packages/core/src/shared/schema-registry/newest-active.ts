import { compareSchemaVersions } from './schema-version.ts'

/** Returns the newest active version of a type: the version that new products are checked against. */
export const newestActive = <S extends { readonly type: string; readonly version: string; readonly active: boolean }>(
  schemas: readonly S[],
  type: string,
): S | undefined =>
  schemas
    .filter((schema) => schema.active && schema.type === type)
    .reduce<S | undefined>(
      (newest, schema) => (newest === undefined || compareSchemaVersions(schema.version, newest.version) > 0 ? schema : newest),
      undefined,
    )
