/** The command `svc` of one service, for any shell and any folder, and the lines that say how to reach the service. */
import { rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Manifest } from '../../core/declare/manifest.ts'

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

/** A started service. */
export interface Reached {
  /** Host and port. */
  readonly address: string
  /** The command of the service with its settings. */
  readonly launcher: string
  readonly manifest: Pick<Manifest, 'routes' | 'settings'>
}

/**
 * The address, and a call with a token if the service takes tokens of its own secret. Both can be pasted into a shell
 * in the current folder.
 */
export function reachLines({ address, launcher, manifest: { routes, settings } }: Reached): string[] {
  const has = (path: string): boolean => routes.some((route) => route.method === 'GET' && route.path === path)
  const svc = relative(process.cwd(), launcher)
  const authorized = ['/api/svc/runs', '/api/svc/auth/keys'].find(has)
  const probe = ['/readyz', '/health'].find(has) ?? '/'
  const token = `curl -H "Authorization: Bearer $(${svc} token --sub developer)" http://${address}${authorized}`
  return [
    `  address  http://${address}${probe}`,
    ...(authorized !== undefined && settings.includes('security.jwt_secret') ? [`  token    ${token}`] : []),
  ]
}
