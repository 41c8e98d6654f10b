import type { SchemaNotes } from '@countersign/core'

/** Returns the warnings about a schema that is registered or checked. */
export const schemaWarnings = ({ uncheckedFormats }: SchemaNotes): readonly string[] =>
  uncheckedFormats.map((pointer) => `the schema has a note at ${pointer}, which is not checked; a pattern is checked`)
