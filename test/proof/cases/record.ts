/** A build is answered from its record if nothing has changed, and in no other case. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Built, buildProfile } from '../../../scripts/build/build.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { beginBuild, readUnchanged, recordBuild } from '../../../scripts/build/record/record.ts'
import { computeAgain, openResults } from '../../../scripts/build/record/result-store.ts'
import { cacheDir, readJson, secretFile, writeJson } from '../../../scripts/build/record/sealed-file.ts'
import { toldOf } from '../../../scripts/toolkit/build-shown.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('record of a build')
const name = `record-test-${process.pid}`

/** Runs a test with environment variables. */
function withEnvironment(changes: Readonly<Record<string, string | undefined>>, run: () => Promise<void>) {
  return async (): Promise<void> => {
    const before = Object.keys(changes).map((key) => [key, process.env[key]] as const)
    const set = (entries: Iterable<readonly [string, string | undefined]>): void => {
      for (const [key, value] of entries)
        if (value === undefined) delete process.env[key]
        else process.env[key] = value
    }
    set(Object.entries(changes))
    await run().finally(() => set(before))
  }
}

const dist = folderWith({})

/** A profile of one library: a record does not depend on the number of bundles. */
const libraryProfile = (): string =>
  ownProfile({
    name,
    change: () => `export const profile = {
  name: '${name}',
  summary: 'One library',
  library: { platform: 'web', features: { 'transport.fetch': true, 'edge.quote': true, 'edge.greeter': true } },
  own: { 'edge.quote': './quote/feature.ts', 'edge.greeter': 'edge-greeter' },
}
`,
  })

/** A whole build without the start of what was built, which no record depends on. */
const unstarted = (profile: string): Promise<Built> => buildProfile(profile, 'pack', undefined, { start: false })

test(
  'an unchanged build is answered from its record; any change of what it read, or of what it delivered, builds again',
  withEnvironment({ CI: undefined, SVC_DIST: dist, SVC_COMMIT: undefined }, async () => {
    const profile = libraryProfile()
    const folder = dirname(profile)
    const record = async (): Promise<void> => {
      const begun = beginBuild()
      const built = await unstarted(profile)
      await recordBuild(profile, begun, built, toldOf(built))
    }
    try {
      assert.is(readUnchanged(profile), undefined)
      await record()
      const found = readUnchanged(profile)
      assert.match(found!.since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.match(found!.out.join('\n'), `${name} library (web): `)

      const delivered = join(found!.folder, 'index.mjs')
      const greeter = 'node_modules/edge-greeter'
      const changes: Readonly<Record<string, () => () => void>> = {
        'a source': () => edit(join(folder, 'quote/feature.ts')),
        'a contract, which no bundle has': () => edit(join(folder, 'quote/contract.ts')),
        'the profile': () => edit(profile),
        'a file that would be found before one that was read': () => add(join(folder, 'quote/plugin.js')),
        'a package that would be found before one that was read': () =>
          add(join(folder, 'quote/node_modules/x/index.js')),
        'a package.json that says what the files are': () => add(join(folder, 'quote/package.json'), '{}'),
        'a delivered file': () => edit(delivered),
        'a further delivered file': () => add(join(found!.folder, 'more.txt')),
        'the commit': () => variable('SVC_COMMIT', 'a'.repeat(40)),
        'the bundler': () => variable('ESBUILD_BINARY_PATH', '/nowhere/esbuild'),
        CI: () => variable('CI', 'true'),
        // A package is compared by the times of its files too, which an edit does not restore: the next change needs a
        // new record.
        'a file of a package': () => edit(join(folder, greeter, 'lib/text.js')),
        'a new file in a package': () => add(join(folder, greeter, 'lib/text.ts')),
      }
      for (const [what, change] of Object.entries(changes)) {
        if (readUnchanged(profile) === undefined) await record()
        assert.ok(readUnchanged(profile), what)
        const undo = change()
        assert.is(readUnchanged(profile), undefined, what)
        undo()
      }
    } finally {
      rmSync(buildDir(name), { recursive: true, force: true })
    }
  }),
)

test(
  'a source that was written in the millisecond in which the build began is recorded',
  withEnvironment({ CI: undefined, SVC_DIST: dist }, async () => {
    const profile = libraryProfile()
    try {
      const begun = beginBuild()
      const seconds = (begun.atMs + 0.5) / 1_000
      utimesSync(join(dirname(profile), 'quote/feature.ts'), seconds, seconds)
      const built = await unstarted(profile)
      await recordBuild(profile, begun, built, toldOf(built))
      assert.ok(readUnchanged(profile))
    } finally {
      rmSync(buildDir(name), { recursive: true, force: true })
    }
  }),
)

test(
  'a build during which the commit changes is recorded with the commit that its bundles have',
  withEnvironment({ CI: undefined, SVC_DIST: dist, SVC_COMMIT: 'a'.repeat(40) }, async () => {
    const profile = libraryProfile()
    try {
      const begun = beginBuild()
      const built = await unstarted(profile)
      process.env['SVC_COMMIT'] = 'b'.repeat(40)
      await recordBuild(profile, begun, built, toldOf(built))
      assert.is(readUnchanged(profile), undefined)
      process.env['SVC_COMMIT'] = 'a'.repeat(40)
      assert.ok(readUnchanged(profile))
    } finally {
      rmSync(buildDir(name), { recursive: true, force: true })
    }
  }),
)

test(
  'a build during which a source is edited is not recorded',
  withEnvironment({ CI: undefined, SVC_DIST: dist }, async () => {
    const profile = libraryProfile()
    try {
      const begun = beginBuild()
      const built = await unstarted(profile)
      appendFileSync(join(dirname(profile), 'quote/feature.ts'), '\n')
      await recordBuild(profile, begun, built, toldOf(built))
      assert.is(readUnchanged(profile), undefined)
    } finally {
      rmSync(buildDir(name), { recursive: true, force: true })
    }
  }),
)

test('a sealed file is read only whole, in its own place, and with the secret that sealed it', () => {
  const before = process.env['XDG_STATE_HOME']
  const file = join(folderWith({}), 'kept.json')
  try {
    process.env['XDG_STATE_HOME'] = folderWith({})
    writeJson(file, { a: 1 })
    assert.equal(readJson(file), { a: 1 })
    assert.is(statSync(secretFile()).mode & 0o777, 0o600)
    const text = readFileSync(file, 'utf8')
    for (const edited of [text.replace('1', '2'), text.slice(0, -1), '{"a":1}', '\n{"a":1}']) {
      writeFileSync(file, edited)
      assert.is(readJson(file), undefined)
    }
    const other = `${file}.other`
    writeFileSync(other, text)
    assert.is(readJson(other), undefined)
    writeFileSync(file, text)
    chmodSync(secretFile(), 0o644)
    assert.is(readJson(file), undefined)
    process.env['XDG_STATE_HOME'] = folderWith({})
    assert.is(readJson(file), undefined)
    process.env['XDG_STATE_HOME'] = join(folderWith({ file: '' }), 'file')
    rmSync(file)
    writeJson(file, { a: 1 })
    assert.is(existsSync(file), false)
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME']
    else process.env['XDG_STATE_HOME'] = before
  }
  assert.match(cacheDir, /\.build\/cache$/)
})

test(
  'a result is computed again for any other input, without its seal, in CI and for --rebuild',
  withEnvironment({ CI: undefined, XDG_STATE_HOME: folderWith({}) }, async () => {
    const file = `kept-test-${process.pid}`
    const path = join(cacheDir, `${file}.json`)
    let computed = 0
    const opened = (input: unknown): Promise<string> => {
      const results = openResults<string>(file)
      return results.resultFor(input, async () => `${JSON.stringify(input)} ${++computed}`).finally(results.save)
    }
    try {
      const text = ['.ts', 'eval(x)', { __A__: true }]
      assert.is(await opened(text), `${JSON.stringify(text)} 1`)
      assert.is(await opened(text), `${JSON.stringify(text)} 1`)
      const others = [
        ['.js', 'eval(x)', { __A__: true }],
        ['.ts', 'eval(y)', { __A__: true }],
        ['.ts', 'eval(x)', { __A__: false }],
      ]
      for (const [index, other] of others.entries()) assert.match(await opened(other), `${index + 2}`)
      assert.is(await opened(text), `${JSON.stringify(text)} 1`)
      process.env['CI'] = 'true'
      assert.match(await opened(text), ' 5')
      delete process.env['CI']
      computeAgain(true)
      assert.match(await opened(text), ' 6')
      computeAgain(false)
      assert.match(await opened(text), ' 6')
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(' 6', ' 9'))
      assert.match(await opened(text), ' 7')
      assert.is(
        await openResults<string>(file).resultFor(text, () => Promise.reject(new Error('unparsed'))),
        `${JSON.stringify(text)} 7`,
      )
      const failing = openResults<string>(file)
      await failing
        .resultFor('bad', () => Promise.reject(new Error('unparsed')))
        .then(
          () => assert.unreachable(),
          () => undefined,
        )
      failing.save()
      assert.match(await opened('bad'), ' 8')
    } finally {
      rmSync(path, { force: true })
    }
  }),
)

/** Appends to a file. Returns a function that restores it. */
function edit(file: string): () => void {
  const before = readFileSync(file)
  appendFileSync(file, '\n')
  return () => writeFileSync(file, before)
}

/** Adds a file. Returns a function that removes it with the folders that were made for it. */
function add(file: string, text: string = ''): () => void {
  const made = mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return () => rmSync(made ?? file, { recursive: true })
}

function variable(key: string, value: string): () => void {
  process.env[key] = value
  return () => {
    delete process.env[key]
  }
}
