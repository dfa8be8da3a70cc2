/** A code is declared once, and says the same wherever it is given. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'
import * as shared from '../../core/shared-codes.ts'
import { root } from '../../scripts/build/paths.ts'

/** Every catalogue of the project, by the place of its declaration. */
async function catalogues(): Promise<Map<string, ErrorCatalogue>> {
  const found = new Map<string, ErrorCatalogue>()
  const files = ['core', 'plugins', 'scripts'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  for (const file of files) {
    if (!/\bdefineErrors\b/.test(text(file)) || file === 'core/errors.ts' || file === 'core/public.ts') continue
    const module = (await import(join(root, file))) as Record<string, unknown>
    const made = Object.entries(module).filter(([, value]) => typeof value === 'function' && 'rows' in value)
    const calls = text(file).match(/\bdefineErrors(?:<[^>]*>)?\(/g) ?? []
    assert.is(made.length, calls.length, `${file} keeps a catalogue to itself`)
    for (const [name, value] of made) found.set(`${name} of ${file}`, value as ErrorCatalogue)
  }
  return found
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The codes that are declared more than once, with where. */
function twice(all: ReadonlyMap<string, Pick<ErrorCatalogue, 'rows'>>): string[] {
  const first = new Map<string, { readonly row: unknown; readonly place: string }>()
  return [...all].flatMap(([place, { rows }]) =>
    Object.entries(rows).flatMap(([code, row]) => {
      const before = first.get(code)
      first.set(code, before ?? { row, place })
      return before === undefined || before.row === row ? [] : [`${code}: ${before.place}, ${place}`]
    }),
  )
}

test('no code is declared twice', async () => {
  const all = await catalogues()
  assert.ok(all.size > 10)
  assert.equal(twice(all), [])
})

test('what several catalogues have is shared, and nothing else is', async () => {
  const holders = new Map<unknown, number>()
  for (const { rows } of (await catalogues()).values()) {
    for (const row of Object.values(rows)) holders.set(row, (holders.get(row) ?? 0) + 1)
  }
  for (const [code, row] of Object.entries(shared)) {
    if ('status' in row) assert.ok(holders.get(row)! > 1, `${code} is in one catalogue only`)
  }
})

test('a second declaration is found', () => {
  const row = { status: 400, message: 'x' }
  const one = defineErrors({ a: row, b: row })
  assert.equal(
    twice(
      new Map([
        ['one', one],
        ['other', defineErrors({ a: row })],
      ]),
    ),
    [],
  )
  assert.equal(
    twice(
      new Map([
        ['one', one],
        ['other', defineErrors({ b: { ...row } })],
      ]),
    ),
    ['b: one, other'],
  )
})

test.run()
