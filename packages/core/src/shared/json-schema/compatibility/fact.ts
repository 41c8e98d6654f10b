import type { SchemaObject } from '../schema.ts'
import type { Document } from './document.ts'

/** A schema object that accepts the value, with its document. */
export interface Fact {
  readonly document: Document
  readonly schema: SchemaObject
}
