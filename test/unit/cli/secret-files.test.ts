/** Secrets in files: what programs read, what they refuse, and that no message has a secret. */
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { Secret } from '../../../core/declare/secret.ts'
import { type SettingsTable, secret, secretList, text } from '../../../core/declare/settings.ts'
import { type ResolvedSettings, resolveSettings, type SettingsSources } from '../../../core/kernel/settings/resolve.ts'
import { refuseJwtSecret, refuseOtherSecrets } from '../../../plugins/auth/jwt/secret.ts'
import { secretFiles } from '../../../plugins/cli/secret-file.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { hasProgram } from '../telemetry/programs.ts'

const table: SettingsTable = {
  'a.secret': secret({ summary: '' }),
  'a.list': secretList({ max: 4, summary: '' }),
  'a.name': text({ default: 'x', summary: '' }),
}

/** A folder with files of mode 0600. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files)
  for (const name of Object.keys(files)) chmodSync(join(folder, name), 0o600)
  return folder
}

/** The sources of a program whose configuration file is in `folder`. */
function sourcesOf(
  folder: string,
  value: unknown,
  environment: Readonly<Record<string, string>> = {},
): SettingsSources {
  const config = join(folder, 'config.json')
  return { config: { name: 'config.json', value }, environment, readSecret: secretFiles(config) }
}

function revealed({ values }: ResolvedSettings): unknown[] {
  return [values['a.secret'], values['a.list']].map((value) =>
    Array.isArray(value)
      ? value.map((one) => (one instanceof Secret ? one.reveal() : 'no secret'))
      : value instanceof Secret
        ? value.reveal()
        : value,
  )
}

/** The problems of sources that must be refused, each with its source. */
function problemsOf(sources: SettingsSources): string[] {
  try {
    resolveSettings(table, sources)
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'))
    const problems = error.details!['problems'] as { source: string; message: string }[]
    return problems.map(({ source, message }) => `${source}: ${message}`)
  }
  throw new Error('the settings were accepted')
}

test('a file in the configuration file is relative to that file, and loses one line end', () => {
  const folder = folderOf({ one: 'first\n', 'sub/two': 'second\r\n', three: 'third' })
  const value = {
    a: { secret: { file: 'one' }, list: [{ file: 'sub/two' }, 'inline', { file: join(folder, 'three') }] },
  }
  assert.equal(revealed(resolveSettings(table, sourcesOf(folder, value))), ['first', ['second', 'inline', 'third']])
})

test('a variable with _FILE names a file, of a list one secret a line; the later source wins whole', () => {
  const folder = folderOf({ one: 'first\n', lines: 'x\r\ny\n' })
  const at = (name: string): string => join(folder, name)
  const environment = { SVC_A__SECRET_FILE: at('one'), SVC_A__LIST_FILE: at('lines') }
  // The files of the configuration file are not there, and nobody needs them.
  const value = { a: { secret: { file: 'gone' }, list: [{ file: 'gone' }, 'z'] } }
  const read = resolveSettings(table, sourcesOf(folder, value, environment))
  assert.equal(revealed(read), ['first', ['x', 'y']])
  assert.is(read.sourceNames.get('a.secret'), 'SVC_A__SECRET_FILE')
  assert.equal(read.warnings, [])
  assert.equal(revealed(resolveSettings(table, sourcesOf(folder, value, { SVC_A__SECRET: 's', SVC_A__LIST: 'l' }))), [
    's',
    ['l'],
  ])
})

test('what is no secret has no file, and a library reads none', () => {
  const folder = folderOf({ one: 'first' })
  const [refused] = problemsOf(sourcesOf(folder, { a: { name: { file: 'one' } } }))
  assert.match(refused!, /^config\.json: a\.name: expected a text that is not empty, got/)
  const { warnings } = resolveSettings(table, sourcesOf(folder, {}, { SVC_A__NAME_FILE: join(folder, 'one') }))
  assert.match(warnings[0]!.message, /^no such setting/)
  const library = { config: { name: 'settings', value: { a: { secret: { file: join(folder, 'one') } } } } }
  assert.equal(problemsOf(library), ['settings: a.secret: expected a text that is not empty'])
})

test('a value and a file in one source are refused', () => {
  const folder = folderOf({ one: 'first' })
  const environment = { SVC_A__SECRET: 'value', SVC_A__SECRET_FILE: join(folder, 'one') }
  assert.equal(problemsOf(sourcesOf(folder, {}, environment)), [
    'SVC_A__SECRET_FILE: SVC_A__SECRET is set too; set one of them',
  ])
})

test('files that cannot be used are refused, all together', () => {
  const folder = folderOf({
    empty: '',
    line: '\n',
    large: 'x'.repeat(65_537),
    most: 'x'.repeat(65_536),
    blank: 'secret \n',
    two: 'secret\n\n',
    many: '1\n2\n3\n4\n5',
    gap: '1\n\n2',
    group: 'secret',
    open: 'secret',
  })
  writeFileSync(join(folder, 'binary'), new Uint8Array([0xff, 0xfe]), { mode: 0o600 })
  chmodSync(join(folder, 'group'), 0o620)
  chmodSync(join(folder, 'open'), 0o644)
  symlinkSync('open', join(folder, 'link'))
  const refused = (name: string, list = false): string => {
    const value = { a: list ? { list: [{ file: name }] } : { secret: { file: name } } }
    return problemsOf(sourcesOf(folder, value)).join()
  }
  assert.match(refused('empty'), /empty is empty$/)
  assert.match(refused('line'), /line is empty$/)
  assert.match(refused('large'), /has 65537 bytes; a secret has at most 65536$/)
  assert.match(refused('gone'), /a\.secret: the file of the secret cannot be read: there is no such file$/)
  assert.match(refused('.'), /is not a regular file$|it is a folder$/)
  assert.match(refused('blank'), /without the space \(U\+0020\) at its end$/)
  assert.match(refused('two', true), /without the line end \(U\+000A\) at its end$/)
  assert.match(refused('binary'), /is not UTF-8$/)
  if (process.platform !== 'win32')
    assert.match(refused('group'), /may be written by its group or by others \(mode 0620\)/)
  const inEnvironment = (name: string): string =>
    problemsOf(sourcesOf(folder, {}, { SVC_A__LIST_FILE: name === '' ? '' : join(folder, name) })).join()
  for (const name of ['many', 'gap'])
    assert.is(inEnvironment(name), 'SVC_A__LIST_FILE: expected a list of at most 4 texts that are not empty')
  assert.match(inEnvironment(''), /^SVC_A__LIST_FILE: expected the path of a file$/)
  const both = { a: { secret: { file: 'gone' }, list: [{ file: 'empty' }, { file: 'line' }] } }
  assert.is(problemsOf(sourcesOf(folder, both)).length, 3)

  const most = resolveSettings(table, sourcesOf(folder, { a: { secret: { file: 'most' } } }))
  assert.is(String(revealed(most)[0]).length, 65_536)
  const { warnings } = resolveSettings(table, sourcesOf(folder, { a: { secret: { file: 'link' } } }))
  if (process.platform !== 'win32')
    assert.match(
      warnings.map(({ message }) => message).join(),
      /link may be read by every user of this machine \(mode 0644\)$/,
    )
})

if (hasProgram('mkfifo'))
  test('a pipe is refused at once, even if nobody writes to it', async () => {
    const { spawnSync } = await import('node:child_process')
    const folder = folderWith()
    spawnSync('mkfifo', ['-m', '600', join(folder, 'pipe')])
    assert.match(
      problemsOf(sourcesOf(folder, { a: { secret: { file: 'pipe' } } })).join(),
      /pipe is not a regular file$/,
    )
  })

test('no message, value or warning has a secret, wherever the secret was put', () => {
  const folder = folderOf({ held: '' })
  const file = join(folder, 'held')
  const secretText = fc.stringMatching(/^[A-Za-z0-9+/]{12,60}$/)
  // How a secret comes into the settings, by right or by mistake.
  const places = [
    (one: string) => ({ value: { a: { secret: one } } }),
    (one: string) => ({ value: { a: { secret: `${one}\n` } } }),
    (one: string) => ({ value: { a: { secret: [one] } } }),
    (one: string) => ({ value: { a: { secret: { file: one } } } }),
    (one: string) => ({ value: { a: { secret: { file: one, more: one } } } }),
    (one: string) => ({ value: { a: { list: [one, one, one, one, one] } } }),
    (one: string) => ({ value: { a: { list: [{ file: one }] } } }),
    (one: string) => ({ value: {}, environment: { SVC_A__SECRET_FILE: one } }),
    (one: string) => ({ value: {}, environment: { SVC_A__SECRET: ` ${one}` } }),
    (one: string) => ({ value: {}, environment: { SVC_A__LIST_FILE: one, SVC_A__LIST: one } }),
    () => ({ value: { a: { secret: { file }, list: [{ file }] } } }),
  ]
  fc.assert(
    fc.property(secretText, fc.constantFrom(...places), fc.constantFrom(0o600, 0o644, 0o622), (one, place, mode) => {
      writeFileSync(file, `${one}\n`)
      chmodSync(file, mode)
      const { value, environment } = { environment: {}, ...place(one) }
      const said: string[] = []
      const check = (values: Readonly<Record<string, unknown>>) => [
        ...refuseJwtSecret(values['a.secret'] as Secret | null, true),
        ...refuseOtherSecrets(values['a.list'] as readonly Secret[], values),
      ]
      try {
        const { values, sourceNames, files, warnings } = resolveSettings(
          table,
          sourcesOf(folder, value, environment),
          {},
          [check],
        )
        said.push(
          JSON.stringify([values, [...sourceNames], warnings]),
          String(values['a.secret']),
          String(values['a.list']),
        )
        assert.not.ok([...files.values()].some((paths) => paths.includes(one)))
      } catch (error) {
        assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'), String(error))
        said.push(error.message, JSON.stringify(error.details), String(error.hint), String(error.stack))
      }
      assert.not.ok(said.join('\n').includes(one), said.join('\n'))
    }),
    { numRuns: countOf({ quick: 200, deep: 5_000 }) },
  )
})

test.run()
