import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { publicPackages, repository } from '../workspace.ts'

/** Speaks as much of a registry's language as `npm install` needs, on the loopback address. Asks nobody itself. */
export interface Registry {
  readonly url: string
  /** A folder for what npm has fetched from here, so that it is fetched once. */
  readonly cache: string
}

interface Published {
  readonly manifest: { readonly name: string; readonly version: string }
  /** The package as a registry keeps it. */
  readonly tarball: () => Buffer
}

const readPublished = (text: string): Published['manifest'] => JSON.parse(text) as Published['manifest']

/**
 * Files that are equal are one in the store, which an archive would tell of as links, and npm unpacks no links: so, a copy. It
 * is not compressed, which would take longer than everything else here.
 */
const pack = (path: string): Buffer => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-pack-'))
  try {
    cpSync(path, join(directory, 'package'), { recursive: true })
    return execFileSync('tar', ['-cf', '-', '-C', directory, 'package'], { maxBuffer: 2 ** 30 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A package as it lies in pnpm's store of this repository. */
const installed = (path: string): Published => {
  return {
    manifest: readPublished(readFileSync(join(path, 'package.json'), 'utf8')),
    tarball: () => pack(path),
  }
}

const store = join(repository, 'node_modules', '.pnpm')

/** Every version of a package that the repository has, for whatever depends on it. */
const findInstalled = (name: string): readonly Published[] => {
  const folder = `${name.replace('/', '+')}@`
  return readdirSync(store)
    .filter((entry) => entry.startsWith(folder))
    .map((entry) => installed(join(store, entry, 'node_modules', name)))
}

const packed = (file: string): Published => ({
  manifest: readPublished(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })),
  tarball: () => readFileSync(file),
})

/** Packs every public package as for a release. */
const packOurs = async (directory: string): Promise<readonly Published[]> => {
  const [command, ...args] = pnpm
  const names = publicPackages().flatMap(({ name }) => ['--filter', name])
  const { ok, output } = await capture(command, [...args, ...names, 'pack', '--pack-destination', directory], repository)
  if (!ok) throw new Error(output)
  return readdirSync(directory).map((file) => packed(join(directory, file)))
}

const answer = (response: ServerResponse, status: number, body: Buffer | string): void => {
  // What is here stays as it is, so that npm need not ask again.
  response.writeHead(status, { 'cache-control': 'max-age=3600, immutable' }).end(body)
}

/** Serves until this process ends. */
export const startRegistry = async (): Promise<Registry> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-registry-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const ours = await packOurs(join(directory, 'packed'))
  const find = (name: string): readonly Published[] => {
    const own = ours.filter(({ manifest }) => manifest.name === name)
    return own.length > 0 ? own : findInstalled(name)
  }

  const server = createServer((request, response) => {
    const [path = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const found = find(path)
    if (version !== undefined) {
      const wanted = found.find(({ manifest }) => manifest.version === version)
      return wanted === undefined ? answer(response, 404, '') : answer(response, 200, wanted.tarball())
    }
    const latest = found.at(-1)
    if (latest === undefined) return answer(response, 404, '{}')
    const versions = found.map(({ manifest }): [string, object] => {
      const dist = { tarball: `${url}/${encodeURIComponent(path)}/-/${manifest.version}` }
      return [manifest.version, { ...manifest, dist }]
    })
    const tags = { latest: latest.manifest.version }
    return answer(response, 200, JSON.stringify({ name: path, 'dist-tags': tags, versions: Object.fromEntries(versions) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // What is left of a run does not wait for it.
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, cache: join(directory, 'cache') }
}
