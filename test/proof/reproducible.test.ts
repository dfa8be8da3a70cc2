/** The same sources give the same bytes in every folder, also if the generated files are built without the toolkit. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blobOf } from '../../scripts/binary/make-binary.ts'
import { stamp } from '../../scripts/build/bundle/bundle.ts'
import { withoutCommit } from '../../scripts/build/commit.ts'
import { outputName } from '../../scripts/build/generate/generate.ts'
import { programIn } from '../../scripts/build/generate/program-file.ts'
import { root } from '../../scripts/build/paths.ts'
import { standardProfiles } from '../../scripts/build/plan/load-profile.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import type { Form } from '../../scripts/build/plan/target-plan.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('reproducible')

/** The commit that both builds get. */
const COMMIT = '0123456789abcdef0123456789abcdef01234567'

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

/** Builds profiles one after the other, in one process, so that bundles that several profiles need are built once. */
async function buildIn(folder: string, profiles: readonly string[], timeZone: string): Promise<void> {
  // Uses the pinned Node of the copy, because the proof records which Node builds.
  const child = startChild(join(folder, relative(root, process.execPath)), {
    args: ['scripts/build/cli.ts', ...profiles],
    cwd: folder,
    env: { TZ: timeZone, SVC_COMMIT: COMMIT },
  })
  const { code } = await child.exited
  assert.is(code, 0, child.err)
}

function filesOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

const copies = [copyOfSources('one'), copyOfSources('another/and/deeper')] as const
const profiles = standardProfiles()

// The copies are removed here and not at the end of the process, because about ten thousand files take seconds.
test.after(() => {
  for (const folder of copies) rmSync(folder, { recursive: true, force: true })
})

test('all profiles can be built in two folders, in two orders', async () => {
  await Promise.all([buildIn(copies[0], profiles, 'UTC'), buildIn(copies[1], [...profiles].reverse(), 'Asia/Tokyo')])
})

for (const profile of profiles) {
  test(`${profile} has the same bytes from both folders`, () => {
    const [one, other] = copies.map((folder) => filesOf(join(folder, 'dist', profile))) as [
      Map<string, Buffer>,
      Map<string, Buffer>,
    ]
    assert.equal([...one.keys()], [...other.keys()])
    assert.ok(one.has('proof.json') && one.has('manifest.json') && one.has('index.mjs'))
    for (const [name, bytes] of one) assert.ok(bytes.equals(other.get(name)!), name)
  })

  test(`${profile} contains neither the place nor the date of its build`, () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [name, bytes] of filesOf(join(copies[0], 'dist', profile))) {
      for (const trace of [copies[0], realpathSync(join(root, 'node_modules')), today]) {
        assert.is(bytes.includes(trace), false, `${name} contains ${trace}`)
      }
    }
  })

  test(`${profile} has the same bytes if esbuild alone builds the generated files`, () => {
    for (const form of readdirSync(join(copies[1], '.build', profile))) {
      const folder = join(copies[1], '.build', profile, form)
      execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'pipe' })
      const output = outputName({ form: form as Form })
      // The file of a program also contains V8's compiled code, so only its source text is compared.
      const codeIn = (at: string): string => {
        const file = readFileSync(join(at, output), 'utf8')
        return form === 'main' ? programIn(file)! : file
      }
      const raw = codeIn(folder)
      const packed = codeIn(join(copies[1], 'dist', profile))
      const { text, sha256 } = stamp(raw)
      assert.is(text === withoutCommit(packed), true, `${form} differs`)
      if (form === 'main') assert.match(packed, COMMIT)
      assert.ok(packed.includes(sha256), 'the bundle carries its own hash')
      const partsIn = (at: string): Map<string, Buffer> => {
        const isPart = (name: string): boolean => /-[A-Z0-9]{8}\.mjs$/.test(name)
        return new Map([...filesOf(at)].filter(([name]) => isPart(name)))
      }
      if (form === 'library') assert.equal(partsIn(folder), partsIn(join(copies[1], 'dist', profile)), form)
      if (form === 'library') assert.is(partsIn(folder).size > 0, profile === 'minimal')
    }
  })
}

test('the blob of the executable has the same bytes from two folders', async () => {
  const planned = await plan('server-full')
  const [one, other] = [
    await blobOf(planned, join(folderWith(), 'a')),
    await blobOf(planned, join(folderWith(), 'b/c')),
  ]
  assert.ok(one.bytes.length > 50_000)
  assert.ok(one.bytes.equals(other.bytes))
})

test('the registry and the entry are the same text for every profile', () => {
  for (const form of ['library', 'main']) {
    for (const file of ['registry.ts', 'entry.ts']) {
      const texts = profiles
        .map((profile) => join(copies[0], '.build', profile, form, file))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
      assert.ok(texts.length > 1)
      assert.is(new Set(texts).size, 1, `${form}/${file}`)
    }
  }
})

test.run()
