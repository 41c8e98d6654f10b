import { Invalid } from '../errors.ts'

/** A schema that is not taken; one line says where (a JSON pointer) and why. */
export class SchemaRefused extends Invalid {
  static readonly code = 'schema_refused'
  override readonly code = SchemaRefused.code

  constructor(reason: string, { pointer = '#', ...options }: ErrorOptions & { readonly pointer?: string } = {}) {
    super({ schema: pointer === '#' ? reason : `at ${pointer.slice(0, 200)} ${reason}` }, options)
  }
}
