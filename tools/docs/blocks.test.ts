import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { showsWhatWas } from './compare-output.ts'
import { type Block, type Page, readDocuments } from './page.ts'
import { isInstalled, readers } from './read-block.ts'
import { type Server, startServer } from './server.ts'
import { openShell, type Shell } from './shell.ts'
import { createStage, type Stage } from './stage.ts'

const runs = new Set(['sh', 'ts', 'js'])
const read = readers()
const pages = readDocuments()
const blocks = pages.flatMap((page) => page.blocks)

/** A program that the block says it needs and that this machine has not. */
const missing = ({ marks }: Block): string | undefined => {
  const needed = marks.get('needs')
  return needed === undefined || isInstalled(needed) ? undefined : needed
}

const isRun = (block: Block): boolean => runs.has(block.language) && block.notRun === undefined && missing(block) === undefined
const isFile = ({ marks }: Block): boolean => marks.has('title')
const isOutput = ({ marks }: Block): boolean => marks.has('output')

test('every block says in which language it is', () => {
  const known = new Set([...Object.keys(read), ...runs, 'tsx'])
  expect(blocks.filter(({ language }) => !known.has(language)).map(({ at }) => at)).toEqual([])
})

test('every block that is not run says why, and how many those are is told', () => {
  const left = blocks.filter(({ notRun }) => notRun !== undefined)
  expect(left.filter(({ notRun }) => notRun === '').map(({ at }) => at)).toEqual([])
  const waiting = blocks.filter((block) => block.notRun === undefined && missing(block) !== undefined)
  const shown = blocks.filter((block) => !isRun(block) && block.notRun === undefined && read[block.language] === undefined)
  console.log(
    [
      `${blocks.filter(isRun).length} of ${blocks.length} blocks are run. ${left.length} cannot be:`,
      ...left.map(({ at, notRun }) => `  ${at} ${notRun}`),
      ...waiting.map((block) => `  ${block.at} this machine has no ${missing(block)}`),
      `${shown.filter((block) => !isOutput(block)).length} are only shown, as nothing here reads their language:`,
      ...shown.filter((block) => !isOutput(block)).map(({ at, language }) => `  ${at} ${language}`),
    ].join('\n'),
  )
})

describe('what can be read is well-formed', () => {
  test.each(blocks.filter((block) => !isOutput(block) && read[block.language] !== undefined).map((block) => [block.at, block]))(
    '%s',
    (_at, block) => read[block.language]?.(block),
  )
})

/** What a reader does: writes a file, runs a block, or looks at what the block before printed. */
const isFollowed = (block: Block, index: number, all: readonly Block[]): boolean => {
  const before = all[index - 1]
  if (isOutput(block)) return before !== undefined && isRun(before)
  return isRun(block) || isFile(block)
}

describe.each(pages.filter((page) => page.blocks.some(isRun)).map((page): [string, Page] => [page.path, page]))(
  '%s, followed from top to bottom',
  (_path, page) => {
    let stage: Stage
    let server: Server | undefined
    let shell: Shell | undefined
    let printed = ''

    beforeAll(async () => {
      stage = await createStage(page)
    })
    afterAll(async () => {
      await shell?.close()
      await server?.stop()
      stage.remove()
    })

    const write = (name: string, text: string): string => {
      const file = join(stage.directory, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    }

    const execute = async (block: Block): Promise<string> => {
      const file = write(block.marks.get('title') ?? `block-${block.line}.${block.language}`, stage.adapt(block.text))
      const { ok, output } = await capture(process.execPath, [file], stage.directory, stage.env)
      expect(ok, output).toBe(true)
      return output
    }

    const follow = async (block: Block): Promise<void> => {
      if (isOutput(block)) {
        const shown = stage.adapt(block.text)
        expect(showsWhatWas(shown, printed, block.language), `shown:\n${shown}\n\ngiven:\n${printed}`).toBe(true)
        return
      }
      if (!isRun(block)) {
        write(block.marks.get('title') ?? '', stage.adapt(block.text))
        return
      }
      server ??= await startServer(stage)
      if (block.text === 'npm start') return
      shell ??= openShell(stage)
      printed = block.language === 'sh' ? await shell.run(stage.adapt(block.text)) : await execute(block)
    }

    test.each(page.blocks.filter(isFollowed).map((block): [string, Block] => [`${block.at} ${block.language}`, block]))(
      '%s',
      (_at, block) => follow(block),
      180_000,
    )
  },
)
