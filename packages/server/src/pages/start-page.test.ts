import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createStartPage } from './start-page.ts'

describe('the page at /', () => {
  it('links the pages of the server, loads nothing, and has the style that its policy names', async () => {
    const { app } = await createTestApp({ app: { playground: createStartPage(['playground', 'reference']) } })
    const response = await app.request('/')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = await response.text()
    expect([...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['playground', 'docs'])
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(
      `default-src 'none'; img-src data:; style-src 'sha256-${digest}'`,
    )
    expect(text).not.toMatch(/<script|src=|http/)
  })

  it('is absent by default', async () => {
    const { app } = await createTestApp()
    expect((await app.request('/')).status).toBe(404)
  })
})
