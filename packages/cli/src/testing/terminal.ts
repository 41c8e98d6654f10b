import { spawn } from '@lydell/node-pty'
import { compileCache } from '../../../../tools/testing/compile-cache.ts'
import { BUILT_COMMAND, bounded, type Workplace } from './run-command.ts'

/** An input of a person: waits until the terminal shows a text, then types. */
export interface Typed {
  readonly after: string
  readonly keys: string
}

/** The result of a program on a terminal. */
export interface Seen {
  readonly code: number
  /** Everything that the terminal showed, including errors, without the CR of each line end. */
  readonly shown: string
}

interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns?: number
  readonly typed?: readonly Typed[]
}

/** Runs a program on a real terminal to its end. */
export const runOnTerminal = (
  program: string,
  args: readonly string[],
  { cwd, env, columns = 80, typed = [] }: TerminalOptions,
): Promise<Seen> =>
  new Promise((resolve) => {
    const terminal = spawn(program, [...args], { cwd, env: { ...env }, cols: columns, rows: 40, name: 'xterm' })
    const rest = [...typed]
    let shown = ''
    let looked = 0
    terminal.onData((text) => {
      shown += text
      for (let [next] = rest; next !== undefined; [next] = rest) {
        const at = shown.indexOf(next.after, looked)
        if (at === -1) return
        looked = at + next.after.length
        rest.shift()
        terminal.write(next.keys)
      }
    })
    const forgotten = setTimeout(() => terminal.kill(bounded.killSignal), bounded.timeout)
    terminal.onExit(({ exitCode }) => {
      clearTimeout(forgotten)
      resolve({ code: exitCode, shown: shown.replaceAll('\r\n', '\n') })
    })
  })

/** Runs the built command on a terminal in a workplace. */
export const runAsPerson = (
  { directory, env }: Pick<Workplace, 'directory' | 'env'>,
  args: readonly string[],
  options: Pick<TerminalOptions, 'columns' | 'typed'> = {},
): Promise<Seen> =>
  runOnTerminal(process.execPath, [BUILT_COMMAND, ...args], {
    ...options,
    cwd: directory,
    env: { ...compileCache, ...env, NO_COLOR: '1' },
  })
