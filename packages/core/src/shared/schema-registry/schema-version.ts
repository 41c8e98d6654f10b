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

const VERSION = /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/

/** Returns whether the text has the form `major.minor.patch` (Semantic Versioning 2.0.0, without pre-releases). */
export const isSchemaVersion = (text: string): boolean => VERSION.test(text)

/** Compares two versions. Returns a negative number if `a` is older than `b`, and a positive number if `a` is newer. */
export const compareSchemaVersions = (a: string, b: string): number => {
  const [numbersOfA, numbersOfB] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]]
  return numbersOfA.reduce((order, number, index) => order || number - (numbersOfB[index] ?? 0), 0)
}
