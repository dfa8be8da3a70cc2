/** Explains why the bundler failed, with places in the files of the user. */
import { resolve } from 'node:path'
import type { Message } from 'esbuild'
import { hintForMissing } from '../modules/explain-import.ts'
import { root } from '../paths.ts'
import type { Form } from '../plan/target-plan.ts'
import { toLine } from './warnings.ts'

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
    return 'A program is a single script. Await inside of a function, such as `setup` of the plugin, which may be async.'
  const [, specifier] = /^Could not resolve "([^"]+)"/.exec(text) ?? []
  if (specifier !== undefined && location !== null) return hintForMissing(specifier, resolve(root, location.file))
  return undefined
}
