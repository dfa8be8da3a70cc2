/** The command `svc` of one service: its program with the settings of this service, for any shell and any folder. */
import { rmSync, writeFileSync } from 'node:fs'

/** What the command passes to the program. */
export interface Launched {
  /** Arguments after those of the caller. */
  readonly args?: readonly string[]
  /** Variables, such as those with settings. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Writes the command. Its mode is 0700, because it can contain a secret. */
export function writeLauncher(file: string, program: string, { args = [], environment = {} }: Launched): void {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)} `)
  const rest = args.map((arg) => ` ${quoted(arg)}`).join('')
  // Writing an existing file would keep its mode.
  rmSync(file, { force: true })
  writeFileSync(
    file,
    `#!/bin/sh\n${variables.join('')}exec ${quoted(process.execPath)} ${quoted(program)} "$@"${rest}\n`,
    { mode: 0o700, flag: 'wx' },
  )
}

/** Quotes a word for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
