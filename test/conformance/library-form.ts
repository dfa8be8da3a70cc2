/** Loads a shipped library with its exports and files, and runs call cases. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import type { Platform } from '../../core/declare/matrix.ts'
import type { CallCase, Library } from '../../core/testing/contract.ts'
import { loadInBareRealm } from '../support/bare-realm.ts'
import { contains } from './expect.ts'
import { nest } from './settings.ts'

/** Loads a shipped library. A library of the bare platform is loaded in a realm with only that platform. */
export async function loadLibrary(file: string, platform: Platform): Promise<Library> {
  const exports = platform === 'bare' ? await loadInBareRealm(file) : await importModule(file)
  return { exports, asset: (name) => new Uint8Array(readFileSync(join(dirname(file), name))) }
}

async function importModule(file: string): Promise<Library['exports']> {
  return (await import(pathToFileURL(file).href)) as Library['exports']
}

/** Runs a case on a library. */
export async function runCallCase(library: Library, one: CallCase): Promise<void> {
  if (one.use !== undefined) return one.use(library)
  if (one.refuses !== undefined) return runRefusals(library, one.refuses)
  const name = one.call!
  if (one.missing === true) return assert.not.ok(name in library.exports, `${name} is exported`)
  const callee = library.exports[name]
  assert.type(callee, 'function', `${name} is not a function of the library`)
  let outcome: { readonly value: unknown } | { readonly error: unknown }
  try {
    outcome = { value: await (callee as (...given: readonly unknown[]) => unknown)(...(one.with ?? [])) }
  } catch (error) {
    outcome = { error }
  }
  const shown = 'error' in outcome ? `threw ${String(outcome.error)}` : `gave ${JSON.stringify(outcome.value)}`
  if (one.throws === undefined) {
    assert.ok(
      'value' in outcome && contains(outcome.value, one.gives),
      `expected ${JSON.stringify(one.gives)}, ${shown}`,
    )
    return
  }
  const { code, message } = ('error' in outcome ? outcome.error : {}) as { code?: unknown; message?: string }
  assert.is(code, one.throws.code, shown)
  if (one.throws.message !== undefined) assert.match(message ?? '', one.throws.message, shown)
}

async function runRefusals(library: Library, settings: NonNullable<CallCase['refuses']>): Promise<void> {
  for (const key of Object.keys(settings)) {
    const message = new RegExp(key.replaceAll('.', '\\.'))
    const throws = { code: 'ERR_SETTINGS_INVALID', message }
    await runCallCase(library, { name: '', call: 'createRuntime', with: [{ settings: nest(settings) }], throws })
  }
}
