import { Argument } from 'commander'
import type { CliCommand } from '../../shared/cli-command.ts'
import { bashCompletion } from './bash.ts'
import { commandTree } from './command-tree.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

const setUp = `
The script knows all commands and options, and runs nothing. Each line sets it up for good:
  bash  countersign completion bash > ~/.local/share/bash-completion/completions/countersign
  zsh   countersign completion zsh > "\${fpath[1]}/_countersign"
  fish  countersign completion fish > ~/.config/fish/completions/countersign.fish`

export const addCompletionCommand = (program: CliCommand): void => {
  program
    .add('completion', 'Print the script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell that runs the script').choices(Object.keys(scripts)))
    .addHelpText('after', `${setUp}\n\nExample:\n  $ source <(countersign completion bash)`)
    .answer((shell: keyof typeof scripts) => {
      const script = scripts[shell](commandTree(program))
      return { json: { shell, script }, text: script.trimEnd().split('\n') }
    })
}
