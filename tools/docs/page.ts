import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import GithubSlugger from 'github-slugger'
import type { Code, Heading, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { repository } from '../workspace.ts'

/** A fenced block with its marks. */
export interface Block {
  /** The page and the line of its fence, in the form of editors: `README.md:59`. */
  readonly at: string
  readonly line: number
  /** The first word after the fence; empty if there is none. */
  readonly language: string
  /** The words after the language: `title=machine.json` is `['title', 'machine.json']`, a bare `output` `['output', '']`. */
  readonly marks: ReadonlyMap<string, string>
  readonly text: string
  /** The reason why the block cannot be run, from `<!-- not run: … -->` directly before it. */
  readonly notRun: string | undefined
}

/** A link, without its text. */
export interface Link {
  readonly line: number
  readonly target: string
}

/** The parts of a Markdown page that tests check. */
export interface Page {
  /** The path from the root of the repository, with slashes. */
  readonly path: string
  readonly blocks: readonly Block[]
  readonly links: readonly Link[]
  /** Inline code. */
  readonly codes: readonly { readonly line: number; readonly text: string }[]
  /** The anchors of the headings, as GitHub generates them. */
  readonly anchors: ReadonlySet<string>
}

const lineOf = (node: { readonly position?: Root['position'] }): number => node.position?.start.line ?? 0

const marksOf = (meta: string): ReadonlyMap<string, string> =>
  new Map(
    meta
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word): [string, string] => {
        const [name = '', ...value] = word.split('=')
        return [name, value.join('=')]
      }),
  )

const NOT_RUN = /^<!-- not run:\s*([\s\S]*?)\s*-->$/

const reasonIn = (before: RootContent | undefined): string | undefined =>
  before?.type === 'html' ? NOT_RUN.exec(before.value)?.[1] : undefined

const blockOf = (path: string, node: Code, before: RootContent | undefined): Block => ({
  at: `${path}:${lineOf(node)}`,
  line: lineOf(node),
  language: node.lang ?? '',
  marks: marksOf(node.meta ?? ''),
  text: node.value,
  notRun: reasonIn(before),
})

const anchorsOf = (headings: readonly Heading[]): ReadonlySet<string> => {
  const slugger = new GithubSlugger()
  return new Set(headings.map((heading) => slugger.slug(textOf(heading))))
}

/** Parses Markdown (CommonMark). `path` names the page in messages. */
export const parsePage = (path: string, markdown: string): Page => {
  const tree = fromMarkdown(markdown)
  const blocks: Block[] = []
  const links: Link[] = []
  const codes: { line: number; text: string }[] = []
  const headings: Heading[] = []
  visit(tree, (node, index, parent) => {
    if (node.type === 'code') blocks.push(blockOf(path, node, parent?.children[(index ?? 0) - 1]))
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ line: lineOf(node), target: node.url })
    if (node.type === 'inlineCode') codes.push({ line: lineOf(node), text: node.value })
    if (node.type === 'heading') headings.push(node)
  })
  return { path, blocks, links, codes, anchors: anchorsOf(headings) }
}

/** The pages that people follow from top to bottom. */
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'packages/*/README.md']
/** The pages beside example code, whose own tests run the code. */
const BESIDE_CODE = ['examples/*.md', 'examples/*/*.md']

const read = (patterns: readonly string[]): readonly Page[] =>
  globSync([...patterns], { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => parsePage(path, readFileSync(join(repository, path), 'utf8')))

/** Returns every page whose blocks are followed, by path. */
export const readDocuments = (): readonly Page[] => read(DOCUMENTS)

/** Returns every page that people read. */
export const readPages = (): readonly Page[] => [...readDocuments(), ...read(BESIDE_CODE)]
