import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect } from 'vitest'
import { capture } from '../capture.ts'
import { kindOf } from './block-kind.ts'
import { showsOutput } from './compare-output.ts'
import { type Database, isOnDatabase, needsDatabase, startDatabase } from './database.ts'
import { installFrom } from './install-from.ts'
import type { Block, Page } from './page.ts'
import { type Server, startServer } from './server.ts'
import { openShell, type Shell } from './shell.ts'
import { createStage, type Stage } from './stage.ts'

/** A reader who follows a page from top to bottom. */
export interface Reader {
  /** Follows a block. Rejects if a command fails, or if the block shows other output than the actual output. */
  readonly follow: (block: Block) => Promise<void>
  readonly leave: () => Promise<void>
}

/** Returns whether a block is a single `npm install` command. */
const isInstallation = ({ language, text }: Block): boolean => language === 'sh' && /^npm install .*$/.test(text)

export const sendReader = async (page: Page): Promise<Reader> => {
  const stage: Stage = await createStage(page)
  const database: Database | undefined = needsDatabase(page) ? await startDatabase(page) : undefined
  let server: Server | undefined
  let shell: Shell | undefined
  let shellOfDatabase: Shell | undefined
  let printed = ''

  const adapt = (text: string): string => database?.adapt(stage.adapt(text)) ?? stage.adapt(text)

  const write = (name: string, text: string): string => {
    const file = join(stage.directory, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  const execute = async (block: Block): Promise<string> => {
    const file = write(block.marks.get('title') ?? `block-${block.line}.${block.language}`, adapt(block.text))
    const { ok, output } = await capture(process.execPath, [file], stage.directory, stage.env)
    expect(ok, output).toBe(true)
    return output
  }

  const compare = ({ text, language }: Block): void => {
    const shown = stage.adapt(text)
    expect(showsOutput(shown, printed, language), `shown:\n${shown}\n\ngiven:\n${printed}`).toBe(true)
  }

  const runInShell = async (block: Block): Promise<string> => {
    if (isInstallation(block)) return installFrom(block.text, stage.env)
    if (isOnDatabase(block)) {
      shellOfDatabase ??= database?.openShell()
      return (await shellOfDatabase?.run(adapt(block.text))) ?? ''
    }
    server ??= await startServer(stage)
    if (block.text === 'npm start') return ''
    shell ??= openShell(stage)
    return shell.run(adapt(block.text))
  }

  const connectWith = async (settings: string): Promise<void> => {
    const env = { ...stage.env, ...database?.env, ...parseEnv(adapt(settings)) }
    const { ok, output } = await capture('countersign', ['migrate', '--status'], stage.directory, env)
    expect(ok, output).toBe(true)
  }

  const run = async (block: Block): Promise<void> => {
    if (block.language === 'sql') return database?.query(block)
    if (block.language === 'dotenv') return connectWith(block.text)
    if (block.language === 'sh') {
      printed = await runInShell(block)
      return
    }
    server ??= await startServer(stage)
    printed = await execute(block)
  }

  return {
    follow: async (block) => {
      const kind = kindOf(block)
      if (kind === 'compared') compare(block)
      if (kind === 'file') write(block.marks.get('title') ?? '', stage.adapt(block.text))
      if (kind === 'run') await run(block)
    },
    leave: async () => {
      await shell?.close()
      await shellOfDatabase?.close()
      await server?.stop()
      await database?.remove()
      stage.remove()
    },
  }
}
