import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { Host } from './host.ts'
import { type Content, sendContent, serveAt } from './pages/serve-page.ts'

const describe = async (version: string): Promise<Content> => {
  // Only who asks for it pays for making it.
  const { openApiDocument } = await import('@countersign/contract/openapi')
  const text = JSON.stringify(openApiDocument({ version }))
  return { text, contentType: 'application/json', etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}

/** Serves the OpenAPI document at `/openapi.json`. It says nothing that the contract does not say to everybody. */
export const mountOpenApi = (app: Hono, host: Host): void => {
  let content: Promise<Content> | undefined
  serveAt(app, host, '/openapi.json', (c) => async (headers) => {
    content ??= describe(host.version)
    return sendContent(c.req.raw, await content, headers)
  })
}
