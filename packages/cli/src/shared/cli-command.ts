import type { Countersign } from '@countersign/core'
import { type AddHelpTextContext, type AddHelpTextPosition, Command, Help } from 'commander'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './failures.ts'
import { withCountersign } from './open-database.ts'
import { type Answer, printable, screenOf, textOf, toJsonLine } from './output.ts'

/** Characters in a line of the help, if no terminal has a width of its own. */
const HELP_WIDTH = 80
/** A terminal that is narrower breaks the lines itself. */
const LEAST_WIDTH = 20

export const helpWidthOf = ({ stdout }: Pick<CommandContext, 'stdout'>): number =>
  (stdout.isTTY === true ? stdout.columns : undefined) ?? HELP_WIDTH

export const helpOptions = { minWidthToWrap: LEAST_WIDTH }

/** Wraps the paragraphs of a text. Indented lines keep their breaks, and command lines stay whole, so that they can be copied. */
const wrapped = (text: string, width: number): string => {
  const help = Object.assign(new Help(), helpOptions)
  const lines = text.replaceAll(/(?<=\S)\n(?=\S)/g, ' ').split('\n')
  return lines.map((line) => (/^\s*\$ /.test(line) ? line : help.boxWrap(line, width))).join('\n')
}

/** A command of `countersign`. All its subcommands run in the same context. */
export class CliCommand extends Command {
  readonly context: CommandContext

  constructor(context: CommandContext, name?: string) {
    super(name)
    this.context = context
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.context, name)
  }

  /** Adds a subcommand. @param example The words after its name in an example; without them, the help has none. */
  add(name: string, description: string, example?: string): CliCommand {
    const command = this.command(name)
    command.description(description)
    return example === undefined ? command : command.example(`${command.path} ${example}`.trimEnd())
  }

  /** The words that call this command: `countersign user create`. */
  private get path(): string {
    return this.parent instanceof CliCommand ? `${this.parent.path} ${this.name()}` : this.name()
  }

  /** Adds a text to the help, in lines as wide as the terminal. */
  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (given) =>
      wrapped(typeof text === 'string' ? text : text(given), helpWidthOf(this.context)),
    )
  }

  example(line: string): this {
    return this.addHelpText('after', `\nExample:\n  $ ${line}`)
  }

  /** Sets the action to a function that returns an answer. The action prints the answer and sets the exit code. */
  answer<A extends readonly unknown[]>(work: (...args: A) => Answer | Promise<Answer>): this {
    return this.action(async (...given: readonly [...A, CliCommand]) => {
      const { stdout, stderr } = this.context
      const answer = await work(...(given.slice(0, -1) as unknown as A))
      if (this.optsWithGlobals<{ json?: boolean }>().json === true) {
        stdout.write(toJsonLine(answer.json))
      } else {
        stdout.write(`${textOf(answer, screenOf(stdout))}\n`)
        if (answer.note !== undefined) stderr.write(`${printable(answer.note)}\n`)
      }
      for (const warning of answer.warnings ?? []) stderr.write(`warning: ${printable(warning)}\n`)
      this.context.exitCode = answer.failed === true ? exitCodes.failed : exitCodes.success
    })
  }

  /** Sets the action to a function that returns an answer, and that runs while the configured database is open. */
  use<A extends readonly unknown[]>(work: (countersign: Countersign, ...args: A) => Answer | Promise<Answer>): this {
    return this.answer((...args: A) => withCountersign(this.context, async (countersign) => work(countersign, ...args)))
  }
}
