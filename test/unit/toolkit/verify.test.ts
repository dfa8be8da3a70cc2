/** A report of `svc-build verify` has only lines of `svc-build verify`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tool } from '../../../scripts/toolkit/commands/verify.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('svc-build verify')

test('names of files and texts of a proof add no lines to the report', async () => {
  const forged = 'x\nok   signature\u2028ok   rebuild'
  const folder = folderWith({
    'proof.json': JSON.stringify({ profile: 'p', bundles: [], files: { [`missing ${forged}`]: { owner: 'asset' } } }),
    'account.json': JSON.stringify({ profile: 'p' }),
  })
  writeFileSync(join(folder, `there ${forged}`), '')
  const lines: string[] = []
  const io = {
    json: false,
    color: false,
    out: (line: string) => void lines.push(line),
    note: () => undefined,
    step: () => undefined,
  }
  const { code } = await tool.run({ words: [folder], value: () => undefined, values: () => [], flag: () => false, io })
  assert.is(code, 1)
  assert.is(lines.filter((line) => line.includes('\\u{a}ok   signature\\u{2028}ok   rebuild')).length, 2)
  assert.not.match(lines.join('\n'), /^ok/m)
})

test.run()
