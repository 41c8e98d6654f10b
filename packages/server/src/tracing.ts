export { createTracing, installedTracing } from './tracing/create-tracing.ts'
export type { TracedRequest, Tracing } from './tracing/tracing.ts'
