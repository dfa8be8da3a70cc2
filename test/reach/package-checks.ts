/** Checks the packed library with publint and attw. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from '../../scripts/build/paths.ts'
import type { Project } from './project.ts'
import { tarball } from './project.ts'

/** One row of the table of checks. */
export interface PackageCheck {
  readonly title: string
  readonly version: string
  /** The part of the package that is checked. */
  readonly looksAt: string
  readonly problems: readonly string[]
}

/** Runs both checks. */
export async function checkPackage(project: Project): Promise<readonly PackageCheck[]> {
  return [await byPublint(project), byAttw()]
}

async function byPublint({ folder }: Project): Promise<PackageCheck> {
  const pkgDir = join(folder, 'node_modules/svc')
  const { messages, pkg } = await publint({ pkgDir, strict: true })
  return {
    title: 'publint',
    version: versionOf('publint'),
    looksAt: 'package.json and its files, strictly',
    problems: messages.map((message) => formatMessage(message, pkg) ?? message.code),
  }
}

/**
 * Runs attw on the types of a packed library. Returns the entries that attw found, and the kinds of problems. @throws
 * Error if attw does not run
 */
export function attwOf(packed: string): { readonly entries: readonly string[]; readonly problems: readonly string[] } {
  // The package contains only ES modules.
  const cli = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const options = [
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'embedded-mobile/sql-wasm.wasm',
    '--format',
    'json',
  ]
  const out = execFileSync(process.execPath, [cli, packed, ...options], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const { analysis, problems = {} } = JSON.parse(out) as {
    analysis: { entrypoints: Readonly<Record<string, unknown>> }
    problems?: Readonly<Record<string, unknown>>
  }
  return {
    entries: Object.keys(analysis.entrypoints),
    // Not a problem, because `require` can load an ES module in every version of Node that the libraries support.
    problems: Object.keys(problems).filter((kind) => kind !== 'CJSResolvesToESM'),
  }
}

function byAttw(): PackageCheck {
  const { entries, problems } = attwOf(tarball)
  return {
    title: 'attw',
    version: versionOf('@arethetypeswrong/cli'),
    looksAt: `the types of ${entries.length} entries under node16 and bundler, as ES modules`,
    problems,
  }
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version
}
