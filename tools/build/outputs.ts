import type { ExportTarget, WorkspacePackage } from '../workspace.ts'

/** The condition under which the exports of a package name its sources. */
export const SOURCE = '@countersign/source'

const isBuilt = (target: ExportTarget): target is Readonly<Record<string, string>> =>
  typeof target !== 'string' && SOURCE in target

const pathOf = (target: Readonly<Record<string, string>>, condition: string): string => {
  const path = target[condition]
  if (path === undefined) throw new Error(`An export lacks the condition ${condition}: ${JSON.stringify(target)}`)
  return path
}

const sourceOf = (output: string): string => output.replace(/^\.\/dist\//, './src/').replace(/\.js$/, '.ts')

/** A page that the server serves. Nobody installs a page: the server bundles the pages, and the command bundles the server. */
export interface Page {
  readonly name: string
  /** Its sources, by the name under which the server serves them, without the extension. */
  readonly entries: Readonly<Record<string, string>>
  readonly directory: string
  readonly copy: string
  readonly outputs: readonly string[]
}

export const pages: readonly Page[] = [
  {
    name: 'playground',
    entries: {
      index: 'packages/playground/src/index.html',
      playground: 'packages/playground/src/main.tsx',
      style: 'packages/playground/src/style/style.css',
    },
    directory: 'packages/server/dist/playground/page',
    copy: 'packages/cli/dist/playground/page',
    outputs: ['index.html', 'playground.js', 'style.css'],
  },
  {
    name: 'approver',
    entries: {
      index: 'packages/approver/src/index.html',
      approver: 'packages/approver/src/main.tsx',
      worker: 'packages/approver/src/worker/worker.ts',
      icon: 'packages/approver/src/icon.svg',
      'icon-512': 'packages/approver/src/icon-512.png',
      style: 'packages/approver/src/style.css',
      de: 'packages/approver/src/languages/de.json',
      fr: 'packages/approver/src/languages/fr.json',
      es: 'packages/approver/src/languages/es.json',
      ar: 'packages/approver/src/languages/ar.json',
    },
    directory: 'packages/server/dist/approver/page',
    copy: 'packages/cli/dist/approver/page',
    outputs: [
      ...['index.html', 'approver.js', 'worker.js', 'icon.svg', 'icon-512.png', 'style.css'],
      ...['de.json', 'fr.json', 'es.json', 'ar.json'],
    ],
  },
  {
    name: 'reference',
    entries: {
      index: 'packages/reference/src/index.html',
      reference: 'packages/reference/src/main.ts',
      style: 'packages/reference/src/style.css',
    },
    directory: 'packages/server/dist/reference/page',
    copy: 'packages/cli/dist/reference/page',
    outputs: ['index.html', 'reference.js', 'style.css'],
  },
]

/** Returns the source for each output of the exports and commands of a package, both relative to the package. */
export const entriesOf = ({ manifest }: WorkspacePackage): ReadonlyMap<string, string> =>
  new Map([
    ...Object.values(manifest.exports)
      .filter(isBuilt)
      .map((target) => [pathOf(target, 'default'), pathOf(target, SOURCE)] as const),
    ...Object.values(manifest.bin ?? {}).map((output) => [output, sourceOf(output)] as const),
  ])
