import type { Hono } from 'hono'
import type { Host } from '../http/host.ts'
import { type Content, sendContent, serveAt } from './serve-page.ts'

const describe = async (version: string, basePath: string): Promise<Content> => {
  // Only who asks for it pays for making it.
  const { openApiDocument } = await import('@countersign/contract/openapi')
  return { text: JSON.stringify(openApiDocument({ version, basePath })), contentType: 'application/json' }
}

/** Serves the OpenAPI document at `/openapi.json`. It says nothing that the contract does not say to everybody. */
export const mountOpenApi = (app: Hono, host: Host, basePath: string): void => {
  let content: Promise<Content> | undefined
  serveAt(app, host, '/openapi.json', () => async (headers) => {
    content ??= describe(host.version, basePath)
    return sendContent(await content, headers)
  })
}
