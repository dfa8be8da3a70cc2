/** Input of operators: log filters, settings and configuration files, of any shape. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import type { SettingsTable } from '../../core/declare/settings.ts'
import { resolveSettings, toVariable } from '../../core/kernel/settings/resolve.ts'
import { serverSettings } from '../../core/kernel/settings/server.ts'
import { readConfig } from '../../plugins/cli/config-file.ts'
import { feature as logs } from '../../plugins/telemetry/logs/feature.ts'
import { createLevelFilter } from '../../plugins/telemetry/logs/level-filter.ts'
import { listenSettings } from '../../plugins/transport/settings.ts'
import { anyCharacter } from '../support/any-character.ts'
import { folderWith } from '../support/folder.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: operator')
const table: SettingsTable = { ...serverSettings, ...listenSettings, ...logs.settings }
const word = fc.constantFrom(
  'svc',
  'svc::http',
  'info',
  'warn',
  'off',
  '5',
  '=',
  ',',
  '[',
  ']',
  '{',
  '}',
  '::',
  '"',
  ' ',
)
const filterText = fc.oneof(
  fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
  fc.string({ unit: anyCharacter }),
)

test('any text is a filter that always decides the same way, and a more severe level is never shown less', () => {
  fc.assert(
    fc.property(filterText, fc.constantFrom('svc', 'svc::http', 'other', ''), (text, target) => {
      const filter = createLevelFilter(text)
      const shown = (['error', 'warn', 'info', 'debug', 'trace'] as const).map((level) => filter.enabled(level, target))
      assert.equal(
        shown,
        shown.toSorted((a, b) => Number(b) - Number(a)),
      )
      assert.is(filter.enabled('info', target), shown[2])
      assert.ok(filter.diagnostics.length <= 2)
    }),
    runs(),
  )
})

const anything = fc.anything({ withNullPrototype: false, withBigInt: false, withDate: false })
const keys = fc.constantFrom(...Object.keys(table), 'server', 'server.', '__proto__', 'constructor', 'x')

test('settings of any shape give values that the table accepts, or a list of problems', () => {
  const sources = fc.record({
    config: fc.option(
      fc.oneof(anything, fc.dictionary(keys, anything), fc.record({ server: fc.dictionary(keys, anything) })),
    ),
    environment: fc.dictionary(keys.map(toVariable), fc.string()),
  })
  fc.assert(
    fc.property(sources, ({ config, environment }) => {
      try {
        const given = config === null ? {} : { config: { name: 'file', value: config } }
        const { values } = resolveSettings(table, { ...given, environment })
        assert.equal(Object.keys(values).toSorted(), Object.keys(table).toSorted())
        for (const [key, value] of Object.entries(values)) assert.not.equal(table[key]!.read(value), undefined, key)
      } catch (error) {
        assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'), String(error))
        assert.ok((error.details!['problems'] as unknown[]).length > 0)
      }
      assert.is(({} as Record<string, unknown>)['x'], undefined)
    }),
    runs(),
  )
})

test('a configuration file of any bytes is read as JSON, or refused with a message that does not quote it', () => {
  const file = join(folderWith(), 'config.json')
  const marker = 'hunter2'
  const bytes = fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`\uFEFF${text}`)),
    fc.tuple(fc.string(), fc.string()).map(([a, b]) => Buffer.from(`${a}${marker}${b}`)),
    fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array)),
  )
  fc.assert(
    fc.property(bytes, (content) => {
      writeFileSync(file, content)
      try {
        const value = readConfig(file)
        assert.equal(value, JSON.parse(content.toString('utf8').replace(/^\uFEFF/, '')))
      } catch (error) {
        assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'), String(error))
        assert.not.match(error.message, marker)
        assert.match(error.message, /^--config \S+ is not (?:UTF-8|JSON(?: \(line \d+ column \d+\))?)\.$/)
      }
    }),
    runs(),
  )
})

test.run()
