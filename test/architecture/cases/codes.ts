/** An error code is declared once. Catalogues that use the same code share its row. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import * as ofRequests from '../../../core/declare/shared-codes.ts'
import * as ofSigned from '../../../plugins/protocol/shared-codes.ts'
import { root } from '../../../scripts/build/paths.ts'

export const test: Test = suite('error codes')

/** Every error catalogue of the project, by name and file. */
async function catalogues(): Promise<Map<string, ErrorCatalogue>> {
  const found = new Map<string, ErrorCatalogue>()
  const files = ['core', 'plugins', 'scripts'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  for (const file of files) {
    if (!/\bdefineErrors\b/.test(text(file)) || file === 'core/declare/errors.ts' || file === 'core/plugin-api.ts')
      continue
    const module = (await import(join(root, file))) as Record<string, unknown>
    const exported = Object.entries(module).filter(([, value]) => typeof value === 'function' && 'rows' in value)
    const calls = text(file).match(/\bdefineErrors(?:<[^>]*>)?\(/g) ?? []
    assert.is(exported.length, calls.length, `${file} has a catalogue that it does not export`)
    for (const [name, value] of exported) found.set(`${name} of ${file}`, value as ErrorCatalogue)
  }
  return found
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The codes that are declared more than once, with the places of both declarations. */
function twice(all: ReadonlyMap<string, Pick<ErrorCatalogue, 'rows'>>): string[] {
  const first = new Map<string, { readonly row: unknown; readonly place: string }>()
  return [...all].flatMap(([place, { rows }]) =>
    Object.entries(rows).flatMap(([code, row]) => {
      const earlier = first.get(code)
      first.set(code, earlier ?? { row, place })
      return earlier === undefined || earlier.row === row ? [] : [`${code}: ${earlier.place}, ${place}`]
    }),
  )
}

test('no code is declared twice', async () => {
  const all = await catalogues()
  assert.ok(all.size > 10)
  assert.equal(twice(all), [])
})

test('each shared row with a status is used by several catalogues', async () => {
  const holders = new Map<unknown, number>()
  for (const { rows } of (await catalogues()).values()) {
    for (const row of Object.values(rows)) holders.set(row, (holders.get(row) ?? 0) + 1)
  }
  for (const [code, row] of Object.entries({ ...ofRequests, ...ofSigned })) {
    if ('status' in row) assert.ok(holders.get(row)! > 1, `${code} is in one catalogue only`)
  }
})

test('a second declaration of a code is found', () => {
  const row = { status: 400, message: 'x' }
  const single = defineErrors({ a: row, b: row })
  assert.equal(
    twice(
      new Map([
        ['one', single],
        ['other', defineErrors({ a: row })],
      ]),
    ),
    [],
  )
  assert.equal(
    twice(
      new Map([
        ['one', single],
        ['other', defineErrors({ b: { ...row } })],
      ]),
    ),
    ['b: one, other'],
  )
})
