/** Explains an import of a user's module that Node could not follow. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from '../../../core/kernel/nearest.ts'
import { importPath, shown } from '../paths.ts'
import type { LoadErrorParts } from './read-module.ts'
import { type Explained, withSource } from './source-line.ts'

/** Explains a failed import by its line in the user's file; undefined if no import failed. */
export function explainImport(message: string, { failed }: LoadErrorParts, base: string): Explained | undefined {
  if (failed === undefined) return undefined
  const { specifier } = failed
  const from = fileURLToPath(failed.from)
  const place = placeOfImport(from, specifier)
  const { what, hint } = reasonOf(message, specifier, from)
  return {
    why: place === undefined ? `${shown(from, base)}: ${what}` : withSource(shown(from, base), place, what),
    hint,
  }
}

/** Where a file imports a specifier. Undefined if the file does not contain the specifier as it is written. */
export function placeOfImport(
  file: string,
  specifier: string,
): { readonly line: number; readonly column: number; readonly text: string } | undefined {
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const quoted = [`'${specifier}'`, `"${specifier}"`, `\`${specifier}\``]
  const index = lines.findIndex(
    (line) => /\b(?:import|from|require)\b/.test(line) && quoted.some((one) => line.includes(one)),
  )
  if (index < 0) return undefined
  const text = lines[index]!
  return { line: index + 1, column: Math.max(...quoted.map((one) => text.indexOf(one))) + 1, text }
}

function reasonOf(message: string, specifier: string, from: string): { readonly what: string; readonly hint: string } {
  if (message.includes('needs an import attribute'))
    return {
      what: `Node imports "${specifier}" only with an attribute.`,
      hint: `Write: import … from '${specifier}' with { type: 'json' }`,
    }
  const hint = hintForMissing(specifier, from)
  if (isPath(specifier)) return { what: `There is no file "${specifier}".`, hint }
  if (message.startsWith('Cannot find package'))
    return { what: `The package "${packageName(specifier)}" is not installed.`, hint }
  return { what: message, hint: 'Is this the name by which the package exports it?' }
}

/** What to do about an import in the file `from` that leads to nothing. */
export function hintForMissing(specifier: string, from: string): string {
  if (!isPath(specifier)) {
    const name = packageName(specifier)
    // The package `svc` of npm is unrelated.
    if (name === 'svc') return "A plugin imports 'svc/plugin'."
    if (name.startsWith('#')) return `The package.json of the plugin has no such import: "imports": { "${name}": … }.`
    return (
      `npm install ${name}, and write \`packages: ['${name}']\` into the ` +
      `feature. A file of your own is imported by a path: './${name}.ts'.`
    )
  }
  const folder = dirname(from)
  const missing = resolve(folder, specifier)
  const stem = missing.replace(/\.[cm]?[jt]sx?$/, '')
  const other = ENDINGS.map((ending) => stem + ending).find((file) => existsSync(file))
  const near = other ?? nearbyFile(missing)
  if (near === undefined || near === from)
    return `Is ${basename(specifier)} the name of the file? An import names it with its ending.`
  return `Write '${importPath(folder, near)}': an import names the file as it is on the disk, with its ending.`
}

const ENDINGS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier)
}

/** The name of the package in a specifier: `@scope/name/file.js` → `@scope/name`. */
function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
}

/**
 * Suggests an existing file for the path of a missing one: a file in the same folder, or a file with the same name in a
 * sibling folder. Returns undefined if nothing is similar.
 */
export function nearbyFile(missing: string): string | undefined {
  const folder = dirname(missing)
  const around = dirname(folder)
  const beside = entriesOf(folder).map((name) => join(folder, name))
  const next = entriesOf(around).map((name) => join(around, name, basename(missing)))
  return nearest(
    missing,
    [...beside, ...next].filter((path) => path !== missing && existsSync(path)),
  )
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
