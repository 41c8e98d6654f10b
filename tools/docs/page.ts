import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import GithubSlugger from 'github-slugger'
import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { repository } from '../workspace.ts'

export interface Block {
  /** The page and the line of its fence, in the form of editors: `README.md:59`. */
  readonly at: string
  /** The first word after the fence; empty if there is none. */
  readonly language: string
  /** The words after the language: `title=machine.json` is `['title', 'machine.json']`, a bare `output` `['output', '']`. */
  readonly marks: ReadonlyMap<string, string>
  readonly text: string
  /** The reason why the block cannot be run, from `<!-- not run: … -->` directly before it. */
  readonly notRun: string | undefined
}

/** The parts of a Markdown page that tests check. `path` is the path from the root of the repository, with slashes. */
export type Page = ReturnType<typeof parsePage>

/** A block is `run`, `compared` with the output before, a `file` for a later block, `tested` by a named test, or `not run`. */
export type Kind = 'run' | 'compared' | 'file' | 'tested' | 'not run'

export const kindOf = ({ language, marks, notRun }: Block): Kind => {
  if (notRun !== undefined) return 'not run'
  if (marks.has('by')) return 'tested'
  if (marks.has('output')) return 'compared'
  if (['sh', 'ts', 'js', 'sql', 'dotenv'].includes(language)) return 'run'
  return marks.has('title') ? 'file' : 'not run'
}

const marksOf = (meta: string | null | undefined): ReadonlyMap<string, string> =>
  new Map([...(meta ?? '').matchAll(/([^\s=]+)=?(\S*)/g)].map(([, name = '', value = '']): [string, string] => [name, value]))

const reasonIn = (before: RootContent | undefined): string | undefined =>
  before?.type === 'html' ? /^<!-- not run:\s*([\s\S]*?)\s*-->$/.exec(before.value)?.[1] : undefined

/** Parses Markdown (CommonMark). `path` names the page in messages. */
export const parsePage = (path: string, markdown: string) => {
  const blocks: Block[] = []
  const links: { readonly line: number; readonly target: string }[] = []
  const codes: { readonly line: number; readonly text: string }[] = []
  /** The anchors of the headings, as GitHub generates them. */
  const anchors = new Set<string>()
  const slugger = new GithubSlugger()
  visit(fromMarkdown(markdown), (node, index, parent) => {
    const line = node.position?.start.line ?? 0
    if (node.type === 'code') {
      const notRun = reasonIn(parent?.children[(index ?? 0) - 1])
      blocks.push({ at: `${path}:${line}`, language: node.lang ?? '', marks: marksOf(node.meta), text: node.value, notRun })
    }
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') links.push({ line, target: node.url })
    if (node.type === 'inlineCode') codes.push({ line, text: node.value })
    if (node.type === 'heading') anchors.add(slugger.slug(textOf(node)))
  })
  return { path, blocks, links, codes, anchors }
}

/** @param isWanted Leaves pages unparsed, because parsing all takes seconds. */
const read = (patterns: readonly string[], isWanted = (_markdown: string): boolean => true): readonly Page[] =>
  globSync(patterns, { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, markdown: readFileSync(join(repository, path), 'utf8') }))
    .filter(({ markdown }) => isWanted(markdown))
    .map(({ path, markdown }) => parsePage(path, markdown))

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'packages/*/README.md'] as const
let documents: readonly Page[] | undefined

/** Returns every page whose blocks are followed, by path. */
export const readDocuments = (): readonly Page[] => {
  documents ??= read(DOCUMENTS)
  return documents
}

/** Returns every page that people read. The tests of the examples run the code of their pages. */
export const readPages = (): readonly Page[] => [...readDocuments(), ...read(['examples/*.md', 'examples/*/*.md'])]

/** Returns the blocks that a test runs itself: those with `by=<path of the test>`. Throws if there are none. */
export const blocksOfTest = (file: string): readonly Block[] => {
  const name = relative(repository, file).split(sep).join('/')
  const pages = read(DOCUMENTS, (markdown) => markdown.includes(`by=${name}`))
  const blocks = pages.flatMap((page) => page.blocks.filter(({ marks }) => marks.get('by') === name))
  if (blocks.length === 0) throw new Error(`No page has a block by=${name}`)
  return blocks
}
