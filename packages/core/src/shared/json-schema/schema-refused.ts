import { Invalid } from '../errors.ts'

/** The schema cannot be used. The message is one line with a JSON pointer and the reason. */
export class SchemaRefused extends Invalid {
  static readonly code = 'schema_refused'
  override readonly code = SchemaRefused.code

  constructor(reason: string, { pointer = '#', ...options }: ErrorOptions & { readonly pointer?: string } = {}) {
    super({ schema: pointer === '#' ? reason : `at ${pointer.slice(0, 200)} ${reason}` }, options)
  }
}
