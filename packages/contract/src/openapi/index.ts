export { type OpenApiDocument, openApiDocument } from './document.ts'
export { type Examples, examples } from './examples/index.ts'
