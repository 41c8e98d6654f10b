import type { Argument, Command, Option } from 'commander'

const introduction = `# The \`countersign\` command, option by option

Made from the command itself by \`npm run docs\`. What the commands work on, what they answer and their exit codes stand in [operations](operations.md#the-countersign-command). Every command also takes \`--json\`, to answer with one JSON value, and \`--help\`.`

/** What a table's cell takes: one line, in which a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** Text of which nothing is taken for a tag. */
const plain = (text: string): string => cell(text).replaceAll('<', '\\<')

const ofOption = ({ flags, description, mandatory, defaultValue }: Option): string => {
  const isSaid = defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0)
  const notes = [...(mandatory ? ['required'] : []), ...(isSaid ? [`${JSON.stringify(defaultValue)} where left out`] : [])]
  return `| \`${cell(flags)}\` | ${plain([description, ...notes].join('; '))} |`
}

const ofArgument = (argument: Argument): string => {
  const dots = argument.variadic ? '...' : ''
  const name = argument.required ? `<${argument.name()}${dots}>` : `[${argument.name()}${dots}]`
  return `| \`${name}\` | ${plain(argument.description)} |`
}

const isCommon = ({ long }: Option): boolean => long === '--json' || long === '--help'

const tableOf = (command: Command): readonly string[] => {
  const options = command.createHelp().visibleOptions(command)
  const rows = [...command.registeredArguments.map(ofArgument), ...options.filter((option) => !isCommon(option)).map(ofOption)]
  return rows.length === 0 ? [] : [['| Takes | |', '|---|---|', ...rows].join('\n')]
}

/** What the command's help says last: its examples, a line each. */
const examplesOf = (command: Command): readonly string[] => {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
  })
  command.outputHelp()
  return [...help.replaceAll(/\\\n\s*/g, '').matchAll(/^ *\$ (.*)$/gm)].map(([, line = '']) => `For example \`${line}\``)
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const sectionOf = (command: Command, level: string): readonly string[] => {
  const heading = `${level} ${nameOf(command)}`
  if (command.commands.length > 0)
    return [heading, sentence(command.description()), ...command.commands.flatMap((one) => sectionOf(one, `${level}#`))]
  return [heading, sentence(command.description()), ...tableOf(command), ...examplesOf(command)]
}

/** The page `docs/cli.md`: every command of a program, with its arguments, options and examples. */
export const cliReference = (program: Command): string =>
  `${[introduction, ...program.commands.flatMap((command) => sectionOf(command, '##'))].join('\n\n')}\n`
