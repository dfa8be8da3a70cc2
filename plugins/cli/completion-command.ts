/** `svc completion`: lets a shell complete commands and options. */
import type { Command } from '../../core/declare/command.ts'
import { usageFail } from './arguments.ts'

const shells = { bash, zsh, fish } as const

/** The command. Its script completes `commands`, the command itself, and the options in the help of each command. */
export function completionCommand(commands: readonly Command[]): Command {
  const self: Command = {
    name: 'completion',
    summary: 'completion of commands and options for bash, zsh or fish',
    help: `Usage: svc completion bash|zsh|fish

Prints a script that the shell reads at its start:

  bash  svc completion bash > ~/.local/share/bash-completion/completions/svc
  zsh   svc completion zsh > "\${fpath[1]}/_svc"
  fish  svc completion fish > ~/.config/fish/completions/svc.fish`,
    run: async ([shell, ...rest], io) => {
      if (shell === undefined || !Object.hasOwn(shells, shell) || rest.length > 0)
        throw usageFail('ERR_USAGE', { message: 'Which shell? bash, zsh or fish.', hint: 'svc completion --help' })
      io.out(shells[shell as keyof typeof shells]([...commands, self].map(toWords)))
      return 0
    },
  }
  return self
}

/** The words that may follow one command. */
interface Words {
  readonly name: string
  readonly summary: string
  /** Options and sub-commands, as the help text names them. */
  readonly words: readonly string[]
}

/**
 * Reads the words from the help text, which is the only list of a command's options; its first paragraph is the usage.
 */
function toWords({ name, summary, help }: Command): Words {
  const [usage = ''] = help.split('\n\n')
  const actions = [...usage.matchAll(new RegExp(`svc ${name} ([a-z][a-z-]*(?:\\|[a-z-]+)*)`, 'g'))]
  const words = [...actions.flatMap(([, word]) => word!.split('|')), ...(help.match(/--[a-z][a-z-]*/g) ?? [])]
  return { name, summary, words: [...new Set([...words, '--help'])] }
}

const GLOBAL = ['--mode', '--config', '--help', '--version'] as const

function bash(all: readonly Words[]): string {
  return `_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${[...all.map(({ name }) => name), ...GLOBAL].join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${all.map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _svc svc`
}

function zsh(all: readonly Words[]): string {
  return `#compdef svc
_svc() {
  if ((CURRENT == 2)); then
    local -a commands=(
${all.map(({ name, summary }) => `      '${name}:${summary.replaceAll("'", '’')}'`).join('\n')}
    )
    _describe command commands
    compadd -- ${GLOBAL.join(' ')}
    return
  fi
  case \${words[2]} in
${all.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
}
_svc "$@"`
}

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ name, summary, words }) => [
    `complete -c svc -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '’')}'`,
    `complete -c svc -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`,
  ])
  return [...GLOBAL.map((option) => `complete -c svc -n __fish_use_subcommand -a ${option}`), ...lines].join('\n')
}
