import type { Argument, Command, Option } from 'commander'

const introduction = `# The \`countersign\` command, option by option

Generated from the command by \`npm run docs\`. [Operations](operations.md#the-countersign-command) describes the answers and the exit codes. Every command also accepts \`--json\` and \`--help\`. \`<user>\` is the email or id of a user. Each command ends with an example.

## Common options`

/** Makes text fit one line and escapes tags. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('<', '\\<')

const ofOption = ({ flags, description, mandatory, defaultValue }: Option): string => {
  const isSaid = defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0)
  const notes = [...(mandatory ? ['required'] : []), ...(isSaid ? [`${JSON.stringify(defaultValue)} by default`] : [])]
  return `- \`${flags}\`: ${plain([description, ...notes].join('; '))}`
}

const optionsOf = (command: Command): readonly Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--json' && long !== '--help')

const everyOption = (command: Command): readonly Option[] => [...optionsOf(command), ...command.commands.flatMap(everyOption)]

/** Returns the lines of the options that three or more commands share. */
const sharedIn = (program: Command): ReadonlySet<string> => {
  const lines = Map.groupBy(everyOption(program).map(ofOption), (line) => line)
  return new Set([...lines].flatMap(([line, { length }]) => (length < 3 ? [] : [line])))
}

const ofArgument = (argument: Argument): string => {
  const dots = argument.variadic ? '...' : ''
  const name = argument.required ? `<${argument.name()}${dots}>` : `[${argument.name()}${dots}]`
  return `- \`${name}\`: ${plain(argument.description)}`
}

const isExplained = ({ description }: Argument): boolean =>
  /^the (?:email or id of the user|id of the \w+|unique code of the project)$/.test(description)

const listOf = (command: Command, shared: ReadonlySet<string>): readonly string[] => {
  const options = optionsOf(command)
  const above = options.filter((option) => shared.has(ofOption(option))).map(({ long }) => `\`${long}\``)
  const rows = [
    ...command.registeredArguments.filter((argument) => !isExplained(argument)).map(ofArgument),
    ...options.map(ofOption).filter((line) => !shared.has(line)),
    ...(above.length === 0 ? [] : [`- ${above.join(', ')}: [common options](#common-options)`]),
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
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const sectionOf = (command: Command, shared: ReadonlySet<string>): readonly string[] => {
  const inner = command.commands.flatMap((one) => sectionOf(one, shared))
  // A command with subcommands is a group, unless it takes arguments itself.
  const isGroup = inner.length > 0 && command.registeredArguments.length === 0
  const own = [`## ${nameOf(command)}`, sentence(command.description()), ...listOf(command, shared), ...examplesOf(command)]
  return isGroup ? inner : [...own, ...inner]
}

/** Returns the page `docs/cli.md`: all commands of a program, with their arguments, options and examples. */
export const cliReference = (program: Command): string => {
  const shared = sharedIn(program)
  const sections = program.commands.flatMap((command) => sectionOf(command, shared))
  return `${[introduction, [...shared].join('\n'), ...sections].join('\n\n')}\n`
}
