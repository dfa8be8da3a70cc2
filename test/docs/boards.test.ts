/**
 * Runs the commands of docs/boards.md with a shell, on the built artefacts, and compares the tables of the page with
 * the code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as ofRequests from '../../core/declare/shared-codes.ts'
import { kbdSettings } from '../../plugins/kbd/api/settings.ts'
import { fail } from '../../plugins/kbd/errors.ts'
import * as ofSigned from '../../plugins/protocol/shared-codes.ts'
import { root } from '../../scripts/build/paths.ts'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/boards.md')
addStories(test, 'docs/boards.md')

const page = readFileSync(join(root, 'docs/boards.md'), 'utf8')

test('the page lists every error code that only boards have, with its status', () => {
  const own = Object.entries(fail.rows).filter(([code]) => !(code in ofRequests || code in ofSigned))
  const inCode = own.map(([code, { status }]) => `${code} ${status}`)
  const onPage = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => `${code} ${status}`)
  assert.equal(onPage, inCode)
})

test('the limits on the page are the defaults of the settings', () => {
  const rows = [...page.matchAll(/^\| [^|]+ \| ([\d ]+?) ?(KiB|MiB|days)? \| `(kbd\.\w+)` \|$/gm)]
  assert.ok(rows.length >= 10)
  const units: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_048_576 }
  for (const [, number, unit = '', name] of rows) {
    const value = Number(number!.replaceAll(' ', '')) * (units[unit] ?? 1)
    assert.is(kbdSettings[name as keyof typeof kbdSettings].default, value, name)
  }
})

test.run()
