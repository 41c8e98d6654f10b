export { checkNewSchema } from './check-new-schema.ts'
export { checkSchema } from './check-schema.ts'
export { breakingChanges } from './compatibility/breaking-changes.ts'
export { compileSchema } from './compile-schema.ts'
