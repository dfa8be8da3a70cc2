/** Every setting that docs/limits.md names exists with the default that it gives, and every code is one of a catalogue. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ErrorCatalogue } from '../../core/errors.ts'
import type { Plugin } from '../../core/plugin.ts'
import type { SettingsTable } from '../../core/settings/kinds.ts'
import { serverSettings } from '../../core/settings/server.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'

const test = suite('docs/limits.md')
const HEAD = '| input | what it may cost | where it is counted | refused with | setting |'

interface Row {
  readonly family: string
  readonly input: string
  readonly codes: string
  readonly settings: string
}

/** The rows of the page. @throws Error for a table of another shape */
function readRows(): readonly Row[] {
  const page = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [family = ''] = part.split('\n', 1)
      const lines = part.split('\n').filter((line) => line.startsWith('|'))
      assert.is(lines[0], HEAD, family)
      return lines.slice(2).map((line) => {
        const cells = line.split('|').map((cell) => cell.trim())
        assert.is(cells.length, 7, `${family}: ${line}`)
        const [, input = '', , , codes = '', settings = ''] = cells
        return { family, input, codes, settings }
      })
    })
}

/** The settings of the kernel and of every feature, by name. */
async function allSettings(): Promise<SettingsTable> {
  const modules = Object.values(matrixFeatures).flatMap(({ plugin = [] }) =>
    typeof plugin === 'string' ? [plugin] : Object.values(plugin),
  )
  const tables = await Promise.all(
    modules.map(async (path) => ((await import(path)) as { plugin: Plugin }).plugin.settings ?? {}),
  )
  return Object.assign({}, serverSettings, ...tables) as SettingsTable
}

/** The statuses of all codes, from every module that declares some. */
async function allCodes(): Promise<Map<string, Set<number>>> {
  const codes = new Map<string, Set<number>>()
  const files = globSync('{core,plugins}/**/*.ts', { cwd: root }).filter((file) =>
    /= defineErrors\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  for (const file of files) {
    for (const value of Object.values((await import(join(root, file))) as object)) {
      if (typeof value !== 'function' || !('rows' in value)) continue
      for (const [code, { status = 500 }] of Object.entries((value as ErrorCatalogue).rows)) {
        codes.set(code, (codes.get(code) ?? new Set()).add(status))
      }
    }
  }
  return codes
}

test('every row says what is refused, and names a setting or says that there is none', () => {
  const rows = readRows()
  assert.ok(rows.length > 0)
  for (const { family, input, codes, settings } of rows) {
    assert.ok(codes === 'nothing' || /`\w+`/.test(codes), `${family}: ${input}`)
    assert.ok(settings === 'none' || /`[\w.]+` \(/.test(settings), `${family}: ${input}`)
  }
})

test('every setting that is named exists, with that default', async () => {
  const known = await allSettings()
  for (const { family, input, settings } of readRows()) {
    for (const [, name, shown] of settings.matchAll(/`([^`]+)`(?: \(([^)]*)\))?/g)) {
      const setting = known[name!]
      assert.ok(setting !== undefined, `${family}: ${input}: there is no setting ${name}`)
      assert.is(shown?.replaceAll(' ', ''), String(setting.default), `${family}: ${input}: default of ${name}`)
    }
  }
})

test('every code that is named is one of a catalogue, with that status', async () => {
  const known = await allCodes()
  for (const { family, input, codes } of readRows()) {
    for (const [, status, code] of codes.matchAll(/(?:(\d{3}) )?`([^`]+)`/g)) {
      const statuses = known.get(code!)
      assert.ok(statuses !== undefined, `${family}: ${input}: there is no code ${code}`)
      if (status !== undefined) assert.ok(statuses.has(Number(status)), `${family}: ${input}: status of ${code}`)
    }
  }
})

test.run()
