/**
 * The home folder in which the commands of a page run. It contains a clone of this project with its builds, and nothing
 * else.
 */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loaderArgs, root, workDir } from '../../../scripts/build/paths.ts'
import { folderWith } from '../folder.ts'

/** A home, and the environment of a shell in it, which contains only `HOME` and `PATH`. */
export interface Home {
  readonly path: string
  /** The clone, `~/svc`. */
  readonly clone: string
  readonly env: { readonly HOME: string; readonly PATH: string }
}

/**
 * Creates a home. The clone is a folder of links, so that commands may write into it. `.build/run/`, where `make run`
 * keeps its service, belongs to the home. `make run` is replaced by a program that starts the existing build on `port`.
 */
export function createHome(port: number): Home {
  const path = folderWith()
  const clone = join(path, 'svc')
  link(root, clone, ['.build', '.git'])
  link(join(workDir, '.build'), join(clone, '.build'), ['run'])
  const programs = join(path, '.programs')
  mkdirSync(programs)
  // Tests start the same programs many times, so these share what V8 has compiled.
  const node = `NODE_COMPILE_CACHE='${process.env['NODE_COMPILE_CACHE'] ?? ''}' exec '${process.execPath}'`
  writeProgram(join(programs, 'node'), `${node} "$@"`)
  const makeRun = [...loaderArgs, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'make-run.ts')]
  writeProgram(
    join(programs, 'make'),
    `PATH=\${PATH#*.programs:}
[ "$*" = run ] || exec make "$@"
${node} ${makeRun.map((word) => `'${word}'`).join(' ')} "$PWD" ${port}`,
  )
  // npm must not use the network.
  writeFileSync(join(path, '.npmrc'), 'offline=true\nupdate-notifier=false\n')
  return { path, clone, env: { HOME: path, PATH: `${programs}:${process.env['PATH']}` } }
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

function link(from: string, to: string, except: readonly string[]): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (!except.includes(name)) symlinkSync(join(from, name), join(to, name))
}
