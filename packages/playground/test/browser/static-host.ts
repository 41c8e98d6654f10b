import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { repository } from '../../../../tools/workspace.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

export interface StaticHost {
  /** The content types and texts that the host serves in the place of its files. A test can add files. */
  readonly replaced: Map<string, readonly [type: string, text: string]>
  close(): void
}

/** Serves the built page in the folder `/bank/`, with the two files and the header that `docs/approver.md` has for such a host. */
export const startStaticHost = async (port: number, settings: { readonly server: string }): Promise<StaticHost> => {
  const document = await readFile(`${repository}/docs/approver.md`, 'utf8')
  const block = (title: string): string => new RegExp(`^\`\`\`.* title=${title}\n([^\`]*)\n\`\`\``, 'm').exec(document)?.[1] ?? ''
  const made: Readonly<Record<string, string>> = {
    'settings.json': JSON.stringify({ ...(JSON.parse(block('settings.json')) as object), ...settings }),
    'manifest.webmanifest': block('manifest.webmanifest'),
  }
  const [, policy = ''] = /Content-Security-Policy: (.*)/.exec(block('headers.txt')) ?? []
  const files = `${repository}/packages/server/dist/approver/page`
  const replaced: StaticHost['replaced'] = new Map()
  const read = async (name: string): Promise<Buffer | string | undefined> =>
    replaced.get(name)?.[1] ?? made[name] ?? (await readFile(`${files}/${name}`).catch(() => undefined))
  const server = createServer(({ url = '' }, response) => {
    const [, name] = /^\/bank\/([\w.-]*)(?:\?|$)/.exec(url) ?? []
    const file = name === '' ? 'index.html' : (name ?? 'nothing')
    void read(file).then((body) => {
      response.writeHead(body === undefined ? 404 : 200, {
        'content-security-policy': policy.replaceAll('https://auth.example.com', settings.server),
        'content-type': replaced.get(file)?.[0] ?? contentTypes[extname(file)] ?? 'application/octet-stream',
      })
      response.end(body)
    })
  }).listen(port, 'localhost')
  await once(server, 'listening')
  return { replaced, close: () => void server.close().closeAllConnections() }
}
