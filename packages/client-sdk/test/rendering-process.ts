import { startRenderingServer } from '../src/testing/rendering-server.ts'

/** An app that renders pages, as a process. It sends its URL to the test that started it. */
const [baseUrl = '', secret = ''] = process.argv.slice(2)
const { url } = await startRenderingServer(() => ({ baseUrl, secret }))
process.send?.(url)
