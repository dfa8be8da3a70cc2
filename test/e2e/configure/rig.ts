/** `svc-build configure` in a folder with a profile of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loaderArgs, root } from '../../../scripts/build/paths.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { type Child, startChild } from '../../../scripts/child.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The command, as arguments of Node. */
export const command: readonly string[] = [
  ...loaderArgs,
  '--disable-warning=ExperimentalWarning',
  join(root, 'scripts/toolkit/cli.ts'),
  'configure',
]

/** Longest time until the features are read, or a choice is bundled, on a busy machine. */
export const PATIENCE_MS = 240_000

/** A folder with a profile. */
export interface Configured {
  readonly folder: string
  readonly file: string
  /** Starts the command for the profile, with its input open. */
  start(...args: readonly string[]): Child
  text(): string
  write(text: string): void
  /** Plans the file as a build does, and returns the features of each bundle. */
  planned(): Promise<Readonly<Record<string, readonly string[]>>>
}

/** Creates a profile that extends minimal, with two features of its own and comments. */
export function createConfigured(name: string): Configured {
  const path = ownProfile({ name, change: (text) => `// A profile with a comment.\n${text}` })
  const folder = dirname(path)
  return {
    folder,
    file: basename(path),
    start: (...args) =>
      startChild(process.execPath, {
        args: [...command, basename(path), ...args],
        cwd: folder,
        env: { ...process.env, TERM: 'xterm', NO_COLOR: '1' },
        hasInput: true,
      }),
    text: () => readFileSync(path, 'utf8'),
    write: (text) => writeFileSync(path, text),
    async planned() {
      // The file has changed since it was read, and modules are read once for each path.
      await loadProfile(path)
      const { targets } = await plan(path, undefined, true)
      return Object.fromEntries(
        targets.map(({ form, features }) => [
          form,
          features.map(({ id, variant }) => (variant === undefined ? id : `${id}=${variant}`)),
        ]),
      )
    },
  }
}
