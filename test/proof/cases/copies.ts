/** A copy of an absent feature's code is found under any name, and other code is not reported as a copy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type ts from 'typescript'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Bundle } from '../../../scripts/build/bundle/bundle.ts'
import { root } from '../../../scripts/build/paths.ts'
import { standardProfiles } from '../../../scripts/build/plan/load-profile.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { type Attributed, allowedOwners, attribute } from '../../../scripts/build/prove/attribute.ts'
import { codeOf } from '../../../scripts/build/prove/code.ts'
import { bundlesOf } from '../../../scripts/build/prove/controls/owners.ts'
import { aFunction, checkCopies, findCopies } from '../../../scripts/build/prove/copies/copies.ts'
import { parsePrinted } from '../../../scripts/build/prove/syntax.ts'
import { TS } from '../../../scripts/build/typescript.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('copies')

const all: { plan: Plan; made: Bundle }[] = []
for (const profile of standardProfiles()) {
  const planned = await plan(profile)
  for (const made of await bundlesOf(planned)) all.push({ plan: planned, made })
}

/**
 * The files of all profiles that a bundle does not have and must not have. They include the files that a mutation would
 * add.
 */
function absentFrom({ plan: planned, made }: (typeof all)[number]): Attributed[] {
  const allowed = allowedOwners(planned, made.target)
  const files = new Map(all.flatMap((one) => attribute(one.plan, one.made.metafile).map((file) => [file.file, file])))
  return [...files.values()].filter(({ owner }) => !allowed.has(owner) && owner !== 'registry')
}

test('no function of an absent feature comes near the threshold in any standard bundle', async () => {
  let compared = 0
  for (const standard of all) {
    const suspects = absentFrom(standard)
    compared += suspects.length
    const near = await findCopies(standard.plan, standard.made, suspects, 0.85)
    const found = near.map(({ of, name, file, part }) => `${part} of ${name} of ${of.file} in ${file.file}`)
    assert.equal(found, [])
  }
  assert.ok(compared > 500, `${compared}`)
})

/** The copies that are found in the library of minimal with additional files in its account. */
async function withFiles(texts: readonly string[]): Promise<string[]> {
  const standard = all.find(
    ({ plan: { profile }, made }) => profile.name === 'minimal' && made.target.form === 'library',
  )!
  const metafile = structuredClone(standard.made.metafile)
  const folder = folderWith(Object.fromEntries(texts.map((text, index) => [`helper-${index}.ts`, text])))
  for (const [index, text] of texts.entries()) {
    const input = join(folder, `helper-${index}.ts`)
    metafile.inputs[input] = { bytes: text.length, imports: [], format: 'esm' }
    Object.values(metafile.outputs)[0]!.inputs[input] = { bytesInOutput: text.length }
  }
  const problems = await checkCopies(standard.plan, { ...standard.made, metafile }, absentFrom(standard))
  assert.ok(problems.every(({ code }) => code === 'ERR_PROOF_COPY'))
  return problems.map(({ message }) => message)
}

const withFile = (text: string): Promise<string[]> => withFiles([text])

const original = readFileSync(join(root, 'plugins/telemetry/metrics/http-metrics.ts'), 'utf8')

test('an unchanged copy of a file is found', async () => {
  assert.match(
    (await withFile(original)).join('\n'),
    'plugins/telemetry/metrics/http-metrics.ts (feature telemetry.metrics)',
  )
})

test('a minified copy of a file is found', async () => {
  const { code } = await transform(original, { loader: 'ts', minify: true })
  assert.ok((await withFile(code)).length > 0)
})

test('a copied function among others and under another name is found', async () => {
  const { code } = await transform(original, { loader: 'ts', minifyIdentifiers: true })
  assert.ok((await withFile(`export const own = [1, 2, 3].map((n) => n + 1)\n${code}\nexport class Own {}`)).length > 0)
})

test('a copy of a package that only an absent feature needs is found', async () => {
  const text = readFileSync(join(root, 'node_modules/prom-client/lib/histogram.js'), 'utf8')
  assert.match((await withFile(text)).join('\n'), 'node_modules/prom-client/lib/histogram.js (package prom-client)')
})

test('a copy of a small package in one file is found', async () => {
  const small: Readonly<Record<string, readonly string[]>> = {
    canonicalize: ['lib/canonicalize.js'],
    'quick-format-unescaped': ['index.js'],
    'on-exit-leak-free': ['index.js'],
    'atomic-sleep': ['index.js'],
  }
  for (const [name, files] of Object.entries(small)) {
    const text = files.map((file) => readFileSync(join(root, 'node_modules', name, file), 'utf8')).join('\n')
    const { code: minified } = await transform(text, { minify: true })
    for (const one of [text, minified]) {
      assert.match((await withFile(one)).join('\n'), new RegExp(`holds \\d+ % of package ${name}, which is absent`))
    }
  }
})

/** Statements that are inserted after each statement of a copy, so that no two of its statements are adjacent. */
const fillers = [
  (at: number) => `globalThis.tick${at % 3} = (globalThis.tick${at % 5} ?? 0) + ${at};`,
  (at: number) => `if (globalThis.never${at}) globalThis.console.log(${at});`,
]

/** Copies code with a filler after each statement of each block. */
async function filled(text: string, filler: (at: number) => string): Promise<string> {
  const { code } = await transform(text, { loader: 'ts' })
  const ends: number[] = []
  const visit = (node: ts.Node): void => {
    if (TS.isBlock(node) || TS.isSourceFile(node)) ends.push(...node.statements.map((one) => one.end))
    TS.forEachChild(node, visit)
  }
  visit(parsePrinted(code, 'copy.js'))
  ends.sort((a, b) => b - a)
  return ends.reduce((so, end, at) => `${so.slice(0, end)}\n${filler(at)}\n${so.slice(end)}`, code)
}

test('a copy with an additional statement after each statement is found, minified or not', async () => {
  for (const filler of fillers) {
    const copy = await filled(original, filler)
    assert.ok((copy.match(/globalThis\.(?:tick|never)/g) ?? []).length > 25)
    const { code: minified } = await transform(copy, { minify: true })
    for (const text of [copy, minified]) {
      assert.match((await withFile(text)).join('\n'), '% of toHistogram of plugins/telemetry/metrics/http-metrics.ts')
    }
  }
})

test('nearly every function of an absent feature is found in a minified copy with additional statements', async () => {
  const standard = all.find(
    ({ plan: { profile }, made }) => profile.name === 'minimal' && made.target.form === 'library',
  )!
  const files = absentFrom(standard).filter(({ input }) => input.endsWith('.ts'))
  let [found, long] = [0, 0]
  for (const { input } of files) {
    const text = readFileSync(join(root, input), 'utf8')
    const { functions, shingles } = (await codeOf(text, input)).shape
    const { code } = await transform(await filled(text, fillers[0]!), { minify: true })
    const copy = new Set((await codeOf(code, 'copy.js')).shape.shingles)
    for (const { from, to } of functions) {
      const own = new Set(shingles.subarray(from, to))
      if (own.size < aFunction.least) continue
      long += 1
      if ([...own].filter((shingle) => copy.has(shingle)).length >= own.size * aFunction.copied) found += 1
    }
  }
  assert.ok(long > 250, `${long}`)
  assert.ok(found / long > 0.9, `${found} of ${long}`)
})

test('a copied function that is split over two files is found', async () => {
  const whole = /^function toHistogram[\s\S]*?^}$/m.exec(original)![0]
  const cut = whole.search(/ *\{ metricName: \S+_sum`/)
  assert.ok(cut > 0)
  const files = [
    `export ${whole.slice(0, cut)}]}`,
    `export function rest(name: string, labels: Labels, sum: number, count: number, buckets: readonly number[], bounds: readonly number[]) {\nreturn [${whole.slice(cut)}`,
  ]
  assert.match((await withFiles(files)).join(), '% of toHistogram of plugins/telemetry/metrics/http-metrics.ts')
  for (const file of files) assert.equal(await withFiles([file]), [])
})

test('a copy in a package makes a whole build fail', async () => {
  const { code: copied } = await transform(original.replace(/^import .*$/gm, ''), { loader: 'ts' })
  const around = 'class Gauge {}\nconst Counter = Gauge, Histogram = Gauge, knownMethod = (name) => name, families = {}'
  const text = `${around}\n${copied}\nexport const text = createHttpMetrics\n`
  const profile = ownProfile({
    name: `copies-test-${process.pid}`,
    files: { 'node_modules/edge-greeter/lib/text.js': text },
  })
  const { code, message } = await refusal(profile, { controls: true })
  assert.is(code, 'ERR_PROOF_COPY')
  assert.match(message, 'node_modules/edge-greeter/lib/text.js (feature edge.greeter) holds ')
  assert.match(message, 'of plugins/telemetry/metrics/http-metrics.ts (feature telemetry.metrics), which is absent')
})

test('other code is not reported as a copy', async () => {
  assert.equal(await withFile(readFileSync(join(root, 'scripts/build/plan/load-profile.ts'), 'utf8')), [])
})
