const VERSION = /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/

/** Whether the text is `major.minor.patch` of plain numbers (Semantic Versioning 2.0.0, without pre-releases). */
export const isSchemaVersion = (text: string): boolean => VERSION.test(text)

/** Below 0 where `a` is older than `b`, above 0 where it is newer. */
export const compareSchemaVersions = (a: string, b: string): number => {
  const [numbersOfA, numbersOfB] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]]
  return numbersOfA.reduce((order, number, index) => order || number - (numbersOfB[index] ?? 0), 0)
}
