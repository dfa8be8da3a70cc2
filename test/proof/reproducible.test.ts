/** The same sources give the same bytes in every folder, also if the generated files are built without the toolkit. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blobsOf } from '../../scripts/binary/make-binary.ts'
import { outputName } from '../../scripts/build/generate/generate.ts'
import { programIn } from '../../scripts/build/generate/program-file.ts'
import { distDir, EXECUTABLE, root } from '../../scripts/build/paths.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { standardProfiles } from '../../scripts/build/plan/read-profile.ts'
import type { Form } from '../../scripts/build/plan/target-plan.ts'
import { stamp, withoutCommit } from '../../scripts/build/stamp.ts'
import { isBuilt } from '../runner/ships.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('reproducible')

const packageFiles = ['package.json', 'package-lock.json', 'package-trees.json']

/**
 * Copies everything that a build reads. The packages are inside the copy, as npm installs them: the name of a chunk
 * contains the path of its file, and a link would lead out of the folder. Packages are hard-linked if the disk is the
 * same.
 */
function copyOfSources(at: string): string {
  const folder = join(folderWith(), at)
  for (const name of ['core', 'plugins', 'profiles', 'scripts', 'openapi.json', ...packageFiles]) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  const packages = realpathSync(join(root, 'node_modules'))
  try {
    execFileSync('cp', ['-al', packages, join(folder, 'node_modules')], { stdio: 'pipe' })
  } catch {
    cpSync(packages, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  }
  return folder
}

function filesOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

/**
 * A document of a delivered folder without the rows of the executable, which only the project's folder has:
 * `make binary` adds them.
 */
function withoutExecutable(bytes: Buffer): unknown {
  const document = JSON.parse(bytes.toString()) as Record<string, unknown> & {
    readonly files?: Readonly<Record<string, unknown>>
    readonly bundles?: readonly { readonly file: string }[]
  }
  const { [EXECUTABLE]: _, files = {}, bundles = [], ...rest } = document
  // The rows of documents have their hashes.
  const rows = Object.entries(files).filter(([name]) => name !== EXECUTABLE && !name.endsWith('.json'))
  return { ...rest, rows, bundles: bundles.filter(({ file }) => file !== EXECUTABLE) }
}

const profiles = standardProfiles()
const reason = isBuilt() ? undefined : 'dist/ is not of these sources: make test builds it'
const copy = reason === undefined ? copyOfSources('another/and/deeper') : ''

/** The commit that the delivered programs name. */
function commitInDist(): string {
  const manifest = JSON.parse(readFileSync(join(distDir('server-full'), 'manifest.json'), 'utf8')) as {
    readonly 'svc.mjs': { readonly commit: string }
  }
  return manifest['svc.mjs'].commit
}

/** The delivered folder of a profile in the copy. */
const there = (profile: string): string => join(copy, 'dist', profile)

// The copy is removed here and not at the end of the process, because about ten thousand files take seconds.
test.after(() => rmSync(copy, { recursive: true, force: true }))

testUnless(test, reason, 'all profiles can be built in another folder, in another order', async () => {
  // Uses the pinned Node of the copy, because the proof records which Node builds.
  const child = startChild(join(copy, relative(root, process.execPath)), {
    args: ['scripts/build/cli.ts', ...[...profiles].reverse()],
    cwd: copy,
    env: { TZ: 'Asia/Tokyo', SVC_COMMIT: commitInDist() },
  })
  const { code } = await child.exited
  assert.is(code, 0, child.err)
})

for (const profile of profiles) {
  testUnless(test, reason, `${profile} has the same bytes from both folders`, () => {
    const [one, other] = [filesOf(distDir(profile)), filesOf(there(profile))]
    one.delete(EXECUTABLE)
    assert.equal([...one.keys()], [...other.keys()])
    assert.ok(one.has('proof.json') && one.has('manifest.json') && one.has('index.mjs'))
    for (const [name, bytes] of one)
      if (name.endsWith('.json')) assert.equal(withoutExecutable(bytes), withoutExecutable(other.get(name)!), name)
      else assert.ok(bytes.equals(other.get(name)!), name)
  })

  testUnless(test, reason, `${profile} contains neither the place nor the date of its build`, () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [name, bytes] of filesOf(there(profile))) {
      for (const trace of [copy, realpathSync(join(root, 'node_modules')), today]) {
        assert.is(bytes.includes(trace), false, `${name} contains ${trace}`)
      }
    }
  })

  testUnless(test, reason, `${profile} has the same bytes if esbuild alone builds the generated files`, () => {
    for (const form of readdirSync(join(copy, '.build', profile))) {
      const folder = join(copy, '.build', profile, form)
      execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'pipe' })
      const output = outputName({ form: form as Form })
      // The file of a program also contains V8's compiled code, so only its source text is compared.
      const codeIn = (at: string): string => {
        const file = readFileSync(join(at, output), 'utf8')
        return form === 'main' ? programIn(file)! : file
      }
      const raw = codeIn(folder)
      const packed = codeIn(there(profile))
      const { text, sha256 } = stamp(raw)
      assert.is(text === withoutCommit(packed), true, `${form} differs`)
      if (form === 'main') assert.match(packed, commitInDist())
      assert.ok(packed.includes(sha256), 'the bundle carries its own hash')
      const partsIn = (at: string): Map<string, Buffer> => {
        const isPart = (name: string): boolean => /-[A-Z0-9]{8}\.mjs$/.test(name)
        return new Map([...filesOf(at)].filter(([name]) => isPart(name)))
      }
      if (form === 'library') assert.equal(partsIn(folder), partsIn(there(profile)), form)
      if (form === 'library') assert.is(partsIn(folder).size > 0, profile === 'minimal')
    }
  })
}

test('the blob of the executable has the same bytes from two folders', async () => {
  const planned = await plan('server-full', undefined, true)
  const [one, other] = await blobsOf(planned, [join(folderWith(), 'a'), join(folderWith(), 'b/c')])
  assert.ok(one!.bytes.length > 50_000)
  assert.ok(one!.bytes.equals(other!.bytes))
})

testUnless(test, reason, 'the registry and the entry are the same text for every profile', () => {
  for (const form of ['library', 'main']) {
    for (const file of ['registry.ts', 'entry.ts']) {
      const texts = profiles
        .map((profile) => join(copy, '.build', profile, form, file))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
      assert.ok(texts.length > 1)
      assert.is(new Set(texts).size, 1, `${form}/${file}`)
    }
  }
})

test.run()
