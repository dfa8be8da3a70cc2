/** docs/boards.md is followed by a shell, command by command, on what ships, and its tables are those of the code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as shared from '../../core/shared-codes.ts'
import { kbdSettings } from '../../plugins/kbd/api/settings.ts'
import { fail } from '../../plugins/kbd/errors.ts'
import { root } from '../../scripts/build/paths.ts'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/boards.md')
addStories(test, 'docs/boards.md')

const page = readFileSync(join(root, 'docs/boards.md'), 'utf8')

test('it has every code of boards alone, with its status', () => {
  const own = Object.entries(fail.rows).filter(([code]) => !(code in shared))
  const inCode = own.map(([code, { status }]) => `${code} ${status}`)
  const onPage = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => `${code} ${status}`)
  assert.equal(onPage, inCode)
})

test('its limits are the defaults of the settings', () => {
  const rows = [...page.matchAll(/^\| [^|]+ \| ([\d ]+?) ?(KiB|MiB|days)? \| `(kbd\.\w+)` \|$/gm)]
  assert.ok(rows.length >= 10)
  const units: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_048_576 }
  for (const [, number, unit = '', name] of rows) {
    const value = Number(number!.replaceAll(' ', '')) * (units[unit] ?? 1)
    assert.is(kbdSettings[name as keyof typeof kbdSettings].default, value, name)
  }
})

test.run()
