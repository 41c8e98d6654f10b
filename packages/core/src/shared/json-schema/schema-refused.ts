import { errorOf } from '../errors.ts'

/** The schema cannot be used. The message is one line with a JSON pointer and the reason. */
export class SchemaRefused extends errorOf('schema_refused') {
  constructor(reason: string, { pointer = '#', ...options }: ErrorOptions & { readonly pointer?: string } = {}) {
    super({ schema: pointer === '#' ? reason : `at ${pointer.slice(0, 200)} ${reason}` }, options)
  }
}
