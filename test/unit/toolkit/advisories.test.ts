/** Advisories: the order of versions, the affected ranges, and invalid files. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { compareVersions } from '../../../scripts/build/policy/compare-versions.ts'
import { readAdvisories } from '../../../scripts/toolkit/advisory/osv.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('toolkit: advisories')
const file = join(folderWith(), 'osv.json')
const read = (text: string | Uint8Array): ReturnType<typeof readAdvisories> => {
  writeFileSync(file, text)
  return readAdvisories(file)
}
const one = (affected: unknown): string => JSON.stringify({ id: 'X-1', affected: [affected] })
const jose = { ecosystem: 'npm', name: 'jose' }

test('versions are ordered as in the standard', () => {
  const ordered = [
    '0.0.0-0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ]
  for (const [index, a] of ordered.entries()) {
    for (const [other, b] of ordered.entries())
      assert.is(Math.sign(compareVersions(a, b)), Math.sign(index - other), `${a} ${b}`)
  }
  assert.is(compareVersions('1.0.0+build', '1.0.0'), 0)
  assert.ok(compareVersions('no version', '0.0.1') < 0)
})

test('a range goes from its introduced event to its end event, in any order of the events', () => {
  const events = [{ fixed: '6.2.0' }, { introduced: '6.0.0' }, { introduced: '1.0.0' }, { last_affected: '4.9.9' }]
  const [{ affected = [] } = {}] = read(one({ package: jose, ranges: [{ type: 'SEMVER', events }] }))
  for (const [version, wanted] of Object.entries({
    '0.9.0': false,
    '1.0.0': true,
    '4.9.9': true,
    '5.0.0': false,
    '6.0.0-rc.1': false,
    '6.0.0': true,
    '6.1.9': true,
    '6.2.0': false,
  }))
    assert.is(affected[0]!.has(version), wanted, version)
})

test('listed versions are affected, and all versions if none are listed', () => {
  assert.ok(read(one({ package: jose, versions: ['6.2.17'] }))[0]!.affected[0]!.has('6.2.17'))
  assert.not.ok(read(one({ package: jose, versions: ['6.2.16'] }))[0]!.affected[0]!.has('6.2.17'))
  assert.ok(read(one({ package: jose }))[0]!.affected[0]!.has('6.2.17'))
  assert.equal(read(one({ package: { ecosystem: 'Go', name: 'jose' } }))[0]!.affected, [])
  assert.equal(
    read(JSON.stringify({ id: 'X-1', withdrawn: '2026-01-01T00:00:00Z', affected: [{ package: jose }] }))[0]!.affected,
    [],
  )
})

test('a file that is not an advisory is refused with its name', () => {
  for (const text of [
    '',
    '[',
    'null',
    '{}',
    '7',
    '{"id":7,"affected":[]}',
    '{"id":"X-1","affected":"all"}',
    '{"id":"../x y","affected":[]}',
    Uint8Array.of(0x22, 0xff, 0x22),
  ]) {
    try {
      read(text)
      assert.unreachable(String(text))
    } catch (error) {
      assert.ok(isSvcError(error, 'ERR_TOOL_INPUT'), String(error))
      assert.match((error as Error).message, file)
    }
  }
})

test('any JSON is read or refused with ERR_TOOL_INPUT', () => {
  const strange = fc.jsonValue()
  const event = fc.oneof(
    strange,
    fc.record({ introduced: fc.oneof(fc.string(), fc.constant('0')) }),
    fc.record({ fixed: fc.string() }),
  )
  const affected = fc.record(
    {
      package: fc.oneof(strange, fc.constant(jose)),
      ranges: fc.oneof(strange, fc.array(fc.record({ type: fc.constant('SEMVER'), events: fc.array(event) }))),
      versions: strange,
      ecosystem_specific: strange,
    },
    { requiredKeys: [] },
  )
  const file = fc.oneof(strange, fc.record({ id: fc.constant('X-1'), affected: fc.array(fc.oneof(strange, affected)) }))
  fc.assert(
    fc.property(file, (value) => {
      try {
        for (const { affected } of read(JSON.stringify(value)))
          for (const row of affected) assert.type(row.has('1.2.3'), 'boolean')
      } catch (error) {
        assert.ok(isSvcError(error, 'ERR_TOOL_INPUT'), String(error))
      }
    }),
    { numRuns: 300 },
  )
})

test.run()
