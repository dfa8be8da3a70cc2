/** The bundler's warnings and errors, each with its place. Most warnings are about code that is not ours. */

import { resolve } from 'node:path'
import type { BuildOptions, Message } from 'esbuild'
import { buildFail } from '../errors.ts'
import { hintForMissing } from '../modules/explain-import.ts'
import { root, shown } from '../paths.ts'
import type { Form } from '../plan/target-plan.ts'

/**
 * Warnings that mean a broken program, by esbuild's id. They are looked for in packages too, where esbuild is silent by
 * default.
 */
const broken = [
  'assign-to-constant',
  'assign-to-import',
  'call-import-namespace',
  'direct-eval',
  'empty-import-meta',
  'import-is-undefined',
  'impossible-typeof',
] as const

/** The options of esbuild that make it report these warnings everywhere. */
export const reported: Pick<BuildOptions, 'logOverride'> = {
  logOverride: Object.fromEntries(broken.map((id) => [id, 'warning'])),
}

/**
 * The warnings of a bundle, each with file, line and package. `base` is the folder of the profile.
 * @throws SvcError `ERR_BUILD_BROKEN` with all warnings that mean a broken program
 */
export function judgeWarnings(warnings: readonly Message[], base: string): string[] {
  const fatal = warnings.filter(({ id }) => (broken as readonly string[]).includes(id))
  if (fatal.length > 0) {
    throw buildFail('ERR_BUILD_BROKEN', {
      message: `The bundler found code that cannot work:\n${fatal.map((one) => `  ${toLine(one, base)}`).join('\n')}`,
      hint: hints[fatal[0]!.id] ?? 'Change the code, or leave out the feature that brings it.',
    })
  }
  return [...new Set(warnings.map((one) => toLine(one, base)))]
}

const hints: Readonly<Record<string, string>> = {
  'direct-eval': "Call it as (0, eval)(text), which sees only globals, and declare `uses: ['eval']`.",
  'empty-import-meta':
    'A program gives its modules import.meta.url, import.meta.dirname and ' +
    'import.meta.filename, each written out in full: they are those of the built file.',
}

/** A message of the bundler in one line, with its place. */
function toLine({ text, location }: Pick<Message, 'text' | 'location'>, base: string): string {
  if (location === null) return text
  return `${shown(location.file, base)}:${location.line}: ${text.replace(/\s+/g, ' ')}`
}

/** The message and the hint of an error of the bundler. `base` is the folder of the profile. */
export function explainFailure(error: unknown, form: Form, base: string): { message: string; hint?: string } {
  const { message, errors = [] } = error as Error & { readonly errors?: readonly Message[] }
  const [first] = errors
  if (first === undefined) return { message: `${form}: ${message}` }
  const hint = errors.map(hintFor).find((one) => one !== undefined)
  return {
    message: `${form}: the bundler failed:\n${errors.map((one) => `  ${toLine(one, base)}`).join('\n')}`,
    ...(hint !== undefined && { hint }),
  }
}

function hintFor({ text, location }: Message): string | undefined {
  if (text.startsWith('Top-level await'))
    return (
      'A program is a single script. Await inside of a function, ' +
      'such as `setup` of the plugin, which may be async.'
    )
  const [, specifier] = /^Could not resolve "([^"]+)"/.exec(text) ?? []
  if (specifier !== undefined && location !== null) return hintForMissing(specifier, resolve(root, location.file))
  return undefined
}
