import { error } from './error-description.ts'

export const projectErrors = {
  project_not_found: error('not_found', 'Project not found', {
    place: 'projects',
    when: 'No project has this code, or the project was deleted.',
    remedy: 'Check the code of the project.',
  }),
  project_code_taken: error('conflict', 'A project with this code exists already', {
    place: 'projects',
    when: 'The function of the host gave one code to two projects.',
    remedy: 'Correct that function.',
  }),
  product_attributes_refused: error('invalid', {
    place: 'projects',
    when: 'The attributes of a product do not match the schema of its type. The error body is `{ "error": "<text>" }`.',
    remedy: 'Correct the fields that the text names.',
  }),
  product_schema_not_found: error('not_found', 'Product schema not found', {
    place: 'projects',
    when: 'No product schema is registered under this key.',
    remedy: 'Take a type from the list of product schemas.',
  }),
  product_schema_taken: error('conflict', {
    place: 'host',
    when: 'This version is registered already, and never changes.',
    remedy: 'Register a new version.',
  }),
  product_schema_breaks: error('conflict', {
    place: 'host',
    when: 'The new version refuses products that the active version accepts.',
    remedy: 'Change the named fields, or register with `allowBreaking` (`--allow-breaking`).',
  }),
  product_schemas_changed_meanwhile: error(
    'conflict',
    'The product schemas were changed by somebody else at the same time; try again',
    {
      place: 'host',
      when: 'Other callers kept changing the product schemas.',
      remedy: 'Try again.',
    },
  ),
  invalid_import_line: error('invalid', {
    place: 'host',
    when: 'A line is wrong. No line of the file is imported.',
    remedy: 'Correct the line that the message names.',
  }),
}
