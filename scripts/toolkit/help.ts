/** The texts of `svc-build --help` and of each sub-command. */
import { EXIT } from './errors.ts'
import { common, type Tool } from './tool.ts'
import { tools } from './tools.ts'

const EXIT_CODES =
  `Exit codes: ${EXIT.done} done, ${EXIT.failed} failed or the answer is no, ` +
  `${EXIT.usage} wrong usage, ${EXIT.configuration} an input that cannot be used.`

/** The list of all sub-commands. */
export function overview(): string {
  const rows = Object.entries(tools).map(([name, { summary }]) => [name, summary] as const)
  return [
    'Usage: svc-build <command> [arguments] [--json]',
    '',
    'Builds a service into exactly the profile you want, and answers for what is in it.',
    '',
    ...columns(rows),
    '',
    'svc-build <command> --help shows the options and an example. A ' +
      'profile is one of ours by name, or the path of a module of your own.',
    EXIT_CODES,
    '',
  ].join('\n')
}

/** The help of one sub-command. */
export function toolHelp(name: string, { usage, about, example, options = {} }: Tool): string {
  const rows = Object.entries({ ...options, ...common }).map(
    ([option, { value, summary }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, summary] as const,
  )
  return [
    `Usage: svc-build ${name} ${usage}`.trimEnd(),
    '',
    about,
    '',
    ...columns(rows),
    '',
    'Example:',
    ...example.split('\n').map((line) => `  ${line}`),
    '',
    EXIT_CODES,
    '',
  ].join('\n')
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`)
}
