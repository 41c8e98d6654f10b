import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../program.ts'
import { runOnTerminal } from '../../testing/terminal.ts'
import { bashCompletion } from './bash.ts'
import { commandTree } from './command-tree.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const tree = commandTree(createProgram(process))

/** Returns whether the machine has a shell, and prints a line if it has not. */
const has = (shell: string): boolean => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  if (!isThere) {
    process.stderr.write(
      `Completion in ${shell}: NOT TESTED, ${shell} not found: install it (Debian: apt-get install ${shell})\n`,
    )
  }
  return isThere
}

let directory: string
const path = (shell: string): string => join(directory, `countersign.${shell}`)
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-completion-'))
  writeFileSync(path('bash'), bashCompletion(tree))
  writeFileSync(path('zsh'), zshCompletion(tree))
  writeFileSync(path('fish'), fishCompletion(tree))
  writeFileSync(join(directory, 'hardware.json'), '{}')
})
afterAll(() => rmSync(directory, { recursive: true }))

const groups = [
  'user',
  'device',
  'session',
  'passkey',
  'push',
  'confirmation',
  'receipt',
  'vectors',
  'schema',
  'action',
  'project',
  'customer',
  'resource',
  'expense',
  'service-token',
]
const ofUser = [
  'create',
  'import',
  'list',
  'show',
  'why',
  'update',
  'delete',
  'export',
  'disable',
  'enable',
  'set-password',
  'enrol',
  'invite',
  'reset',
  'lock',
  'unlock',
  'grant',
  'revoke',
  'delegate',
  'undelegate',
  'delegations',
]

/** The words before the cursor, and the completions that each shell offers for the last word. */
const cases: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [
    [''],
    ['serve', 'migrate', 'migrate-data', ...groups, 'keys', 'sweep', 'recover', 'archive', 'openapi', 'doctor', 'completion'],
  ],
  [['us'], ['user']],
  [['user', ''], ofUser],
  [
    ['--json', 'user', 's'],
    ['show', 'set-password'],
  ],
  [
    ['user', 'create', '--e'],
    ['--email', '--employee-id'],
  ],
  [['user', 'create', '--email', 'list', '--json', '--pa'], ['--password-stdin']],
  [['user', 'create', '--email', ''], []],
  [['user', 'list', ''], []],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['schema', 'register', 'hard'], ['hardware.json']],
  [['nope', 'us'], ['user']],
  [['user', 'show', '$(touch ran)', '--j'], ['--json']],
  [['user', 'show', '`touch ran`;', '--j'], ['--json']],
]

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** Expects that the typed command substitution did not run: the file that it would create does not exist. */
const expectNothingRan = (): void => expect(() => execFileSync('ls', [join(directory, 'ran')], { stdio: 'pipe' })).toThrow()

describe.runIf(has('bash'))('in bash', () => {
  test.each(cases)('%j offers %j', (words, offered) => {
    // Bash completes file names itself, if the script leaves them to it.
    const ask = `source "$1"; shift; compopt() { [[ "$1 $2" == "+o default" ]] && names=no; }
      COMP_WORDS=(countersign "$@"); COMP_CWORD=$#; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"
      [[ \${#COMPREPLY[@]} -eq 0 && $names != no ]] && compgen -f -- "\${@: -1}"; true`
    const answer = execFileSync('bash', ['--norc', '-c', ask, 'bash', path('bash'), ...words], {
      cwd: directory,
      encoding: 'utf8',
    })
    expect(linesOf(answer)).toEqual(offered)
    expectNothingRan()
  })

  test('the tab key completes a command on a terminal', async () => {
    const typed = [
      { after: 'ready$ ', keys: `countersign() { printf '<%s>' "$@"; echo; }; source ${path('bash')}; PS1='se''t$ '\r` },
      { after: 'set$ ', keys: 'countersign us\tcr\t--ema\ta@b --perm\tx sch\t; countersign schema reg\thardw\t\r' },
      { after: '<hardware.json>\r\n', keys: 'exit\r' },
    ]
    const env = { PATH: process.env.PATH, PS1: 'ready$ ', HOME: directory, TERM: 'dumb' }
    const { shown } = await runOnTerminal('bash', ['--norc', '--noprofile', '-i'], { cwd: directory, env, typed, columns: 200 })
    expect(shown).toContain('<user><create><--email><a@b><--permission><x><sch>\n<schema><register><hardware.json>\n')
  })
})

describe.runIf(has('zsh'))('in zsh', () => {
  // `_describe` and `_files` are functions of zsh. These replacements print what they should offer.
  const stubs = `compdef() { : }; _files() { print -l -- \${words[CURRENT]}*(N) }
    _describe() { local name=\${@[-1]}; local entry; for entry in "\${(@P)name}"; do [[ "\${entry%%:*}" == "\${words[CURRENT]}"* ]] && print -r -- "\${entry%%:*}"; done; true }`

  test.each(cases)('%j offers %j', (words, offered) => {
    const ask = `${stubs}; source "$1"; shift; words=(countersign "$@"); CURRENT=$(( $# + 1 )); _countersign; true`
    const answer = execFileSync('zsh', ['-f', '-c', ask, 'zsh', path('zsh'), ...words], { cwd: directory, encoding: 'utf8' })
    expect(linesOf(answer)).toEqual(offered)
    expectNothingRan()
  })

  test('the tab key completes a command on a terminal', async () => {
    const setUp = `countersign() { printf '<%s>' "$@"; echo; }; autoload -U compinit; compinit -D -u; source ${path('zsh')}; PS1='se''t> '`
    const typed = [
      { after: 'ready> ', keys: `${setUp}\r` },
      { after: 'set> ', keys: 'countersign us\tcr\t--ema\ta@b --perm\tx; countersign schema reg\thardw\t\r' },
      { after: '<hardware.json>\r\n', keys: 'exit\r' },
    ]
    const env = { PATH: process.env.PATH, PS1: 'ready> ', HOME: directory, ZDOTDIR: directory, TERM: 'dumb' }
    const { shown } = await runOnTerminal('zsh', ['-f', '-i'], { cwd: directory, env, typed, columns: 200 })
    expect(shown).toContain('<user><create><--email><a@b><--permission><x>\n<schema><register><hardware.json>\n')
  })
})

describe.runIf(has('fish'))('in fish', () => {
  test.each(cases)('%j offers %j', (words, offered) => {
    const line = ['countersign', ...words.map((word) => (/[$`]/.test(word) ? `'${word}'` : word))].join(' ')
    const ask = 'source $argv[1]; complete -C $argv[2]'
    const home = { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory }
    const options = { cwd: directory, encoding: 'utf8', env: home } as const
    const answer = execFileSync('fish', ['--no-config', '-c', ask, path('fish'), line], options)
    expect(
      linesOf(answer)
        .map((offer) => offer.split('\t')[0])
        .sort(),
    ).toEqual([...offered].sort())
    expectNothingRan()
  })
})

test('the completion script of each shell contains every command and option', () => {
  for (const script of [bashCompletion(tree), zshCompletion(tree), fishCompletion(tree)]) {
    for (const { path: words, options } of tree) {
      for (const word of words) expect(script).toContain(word)
      for (const { word } of options) expect(script).toContain(word.slice(2))
    }
  }
})
