/** The table of codes of docs/embedding-sync.md has each code that an embedded engine can give, with its status. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ErrorRow } from '../../core/declare/errors.ts'
import { failHost } from '../../plugins/sync/embedded/errors.ts'
import { fail, failStore } from '../../plugins/sync/errors.ts'
import { root } from '../../scripts/build/paths.ts'

const test = suite('codes of the embedded engine')

/** Codes of the local surface and of the files of a server, which an engine as a library does not have. */
const OF_SERVERS = ['transport_forbidden', 'store_missing', 'store_locked', 'store_replaced']

/** The rows of the table: the codes and statuses of each. */
function rowsOfPage(): { readonly codes: string[]; readonly statuses: string[] }[] {
  const [, table = ''] = readFileSync(join(root, 'docs/embedding-sync.md'), 'utf8').split('| code | status |')
  const rows = table.split('\n\n')[0]!.matchAll(/^\| (`.+?`) \| (.+?) \|/gm)
  return [...rows].map(([, codes = '', statuses = '']) => ({
    codes: [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
    statuses: statuses.split(', '),
  }))
}

test('the page has every code, and no other', () => {
  const codes = [...Object.keys(fail.rows), ...Object.keys(failStore.rows), ...Object.keys(failHost.rows)]
  const expected = codes.filter((code) => !OF_SERVERS.includes(code))
  const found = rowsOfPage().flatMap((row) => row.codes)
  assert.equal(found.sort(), expected.sort())
})

test('each row has the statuses of its codes', () => {
  const rows: Readonly<Record<string, ErrorRow>> = { ...fail.rows, ...failStore.rows, ...failHost.rows }
  for (const { codes, statuses } of rowsOfPage()) {
    const expected = new Set(codes.map((code) => String(rows[code]?.status ?? '–')))
    assert.equal(statuses, [...expected], codes.join())
  }
})

test.run()
