import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capture } from '../../capture.ts'
import { type InstalledServer, startInstalledServer } from '../../release/installed-server.ts'
import { type Block, kindOf, type Page } from '../page.ts'
import { compareOutput } from './compare-output.ts'
import { isOnDatabase, needsDatabase, programs, startDatabase } from './database.ts'
import { runInShell } from './shell.ts'
import { createStage, installLibraries } from './stage.ts'

/** Returns the program that a block needs and this machine lacks; `undefined` if nothing is missing. */
export const missing = (block: Block): string | undefined => {
  if (isOnDatabase(block)) return programs === undefined ? 'PostgreSQL with all its programs' : undefined
  const needed = block.marks.get('needs')
  return needed === undefined || spawnSync(needed, ['-version']).error === undefined ? undefined : needed
}

/** Sends a reader who follows a page from top to bottom. */
const sendReader = async (page: Page) => {
  const stage = await createStage(page)
  const database = needsDatabase(page) ? await startDatabase(page) : undefined
  let server: InstalledServer | undefined
  let printed = ''
  const adapt = (text: string): string => database?.adapt(stage.adapt(text)) ?? stage.adapt(text)

  const write = (name: string, text: string): string => {
    const file = join(stage.directory, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const runProgram = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const { ok, output } = await capture(command, args, stage.directory, env)
    expect(ok, output).toBe(true)
    return output
  }
  /** Does what `npm install …` leaves behind, from the installed packages. Then loads each package, or runs its command. */
  const install = async (command: string): Promise<string> => {
    const names = command.split(/\s+/).filter((word, index) => index > 1 && !word.startsWith('-'))
    expect(installLibraries(stage.directory, names)).toEqual([])
    for (const name of names) {
      if (name === '@countersign/cli') await runProgram('countersign', ['--version'], stage.env)
      else await runProgram(process.execPath, ['--input-type=module', '-e', `await import('${name}')`], stage.env)
    }
    return ''
  }
  const run = async (block: Block): Promise<string> => {
    const { language, text, marks } = block
    if (language === 'sql') return (await database?.query(block)) ?? ''
    if (language === 'dotenv') {
      const env = { ...stage.env, ...database?.env, ...parseEnv(adapt(text)) }
      return runProgram('countersign', ['migrate', '--status'], env)
    }
    if (language === 'sh' && /^npm install .*$/.test(text)) return install(text)
    if (database && isOnDatabase(block)) return runInShell(database.seat, adapt(text))
    // Code that embeds the service calls no server.
    if (language === 'sh' || text.includes(':4000')) {
      // Where the page says nothing of it, the server starts without npm, which takes a third of the time of a start.
      const start = text === 'npm start' ? (['npm', 'start'] as const) : (['node', 'tools/run.mjs', 'start'] as const)
      server ??= await startInstalledServer(start, { cwd: stage.directory, env: stage.env, timeout: 120_000 })
    }
    if (text === 'npm start') return ''
    if (language === 'sh') return runInShell(stage, adapt(text))
    const name = marks.get('title') ?? `${block.at.replaceAll(/\W/g, '-')}.${language}`
    return runProgram(process.execPath, [write(name, adapt(text))], stage.env)
  }
  return {
    /** Follows a block. Rejects if a command fails, or if the block shows other output than the actual output. */
    follow: async (block: Block): Promise<void> => {
      const kind = kindOf(block)
      if (kind === 'file') write(block.marks.get('title') ?? '', stage.adapt(block.text))
      if (kind === 'run') printed = await run(block)
      if (kind === 'compared') compareOutput(stage.adapt(block.text), printed, block.language)
    },
    leave: async (): Promise<void> => {
      await server?.stop()
      await database?.remove()
      stage.remove()
    },
  }
}

/** Returns whether a reader on this machine can follow a block. */
const isFollowed = (block: Block, index: number, all: readonly Block[]): boolean => {
  const kind = kindOf(block)
  const before = all[index - 1]
  if (kind === 'compared') return before !== undefined && isFollowed(before, index - 1, all)
  return kind === 'file' || (kind === 'run' && missing(block) === undefined)
}

/** Describes one test for each block. The blocks of a page are followed from top to bottom. */
export const describePages = (pages: readonly Page[]): void => {
  const followed = pages.filter(({ blocks }) => blocks.some((block) => kindOf(block) === 'run'))
  describe.each(followed.map((page): [string, Page] => [page.path, page]))('%s, followed from top to bottom', (_path, page) => {
    let reader: Awaited<ReturnType<typeof sendReader>>
    beforeAll(async () => {
      reader = await sendReader(page)
    })
    afterAll(() => reader?.leave())

    const blocks = page.blocks.filter(isFollowed).map((block): [string, Block] => [`${block.at} ${block.language}`, block])
    test.each(blocks)('%s', (_at, block) => reader.follow(block), 180_000)
  })
}
