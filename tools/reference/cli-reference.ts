import type { Argument, Command, Option } from 'commander'

const introduction = `# The \`countersign\` command, option by option

Generated from the command by \`npm run docs\`. [Operations](operations.md#the-countersign-command) describes the database, the answers and the exit codes of the commands. Every command also accepts \`--json\`, to answer with one JSON value, and \`--help\`. \`<user>\` is the email or id of a user. The last line of a command is an example.`

/** Makes text fit one line and escapes tags. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('<', '\\<')

const ofOption = ({ flags, description, mandatory, defaultValue }: Option): string => {
  const isSaid = defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0)
  const notes = [...(mandatory ? ['required'] : []), ...(isSaid ? [`${JSON.stringify(defaultValue)} by default`] : [])]
  return `- \`${flags}\`: ${plain([description, ...notes].join('; '))}`
}

const ofArgument = (argument: Argument): string => {
  const dots = argument.variadic ? '...' : ''
  const name = argument.required ? `<${argument.name()}${dots}>` : `[${argument.name()}${dots}]`
  return `- \`${name}\`: ${plain(argument.description)}`
}

/** The introduction explains it. */
const isUser = (argument: Argument): boolean =>
  argument.name() === 'user' && argument.description === 'the email or id of the user'

const isCommon = ({ long }: Option): boolean => long === '--json' || long === '--help'

const listOf = (command: Command): readonly string[] => {
  const options = command.createHelp().visibleOptions(command)
  const rows = [
    ...command.registeredArguments.filter((argument) => !isUser(argument)).map(ofArgument),
    ...options.filter((option) => !isCommon(option)).map(ofOption),
  ]
  return rows.length === 0 ? [] : [rows.join('\n')]
}

/** Returns the examples at the end of the help of a command, one line each. */
const examplesOf = (command: Command): readonly string[] => {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
  })
  command.outputHelp()
  return [...help.replaceAll(/\\\n\s*/g, '').matchAll(/^ *\$ (.*)$/gm)].map(([, line = '']) => `\`${line}\``)
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const sectionOf = (command: Command, level: string): readonly string[] => {
  const heading = `${level} ${nameOf(command)}`
  const inner = command.commands.flatMap((one) => sectionOf(one, `${level}#`))
  // A command with subcommands is a group, unless it takes arguments itself.
  const isGroup = inner.length > 0 && command.registeredArguments.length === 0
  const own = isGroup ? [] : [...listOf(command), ...examplesOf(command)]
  return [heading, sentence(command.description()), ...own, ...inner]
}

/** Returns the page `docs/cli.md`: all commands of a program, with their arguments, options and examples. */
export const cliReference = (program: Command): string =>
  `${[introduction, ...program.commands.flatMap((command) => sectionOf(command, '##'))].join('\n\n')}\n`
