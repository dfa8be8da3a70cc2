/** A copy of an absent feature's code is found under any name, and nothing else is taken for one. */
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

/** The suite, for the file that runs it. */
export const test: Suite = suite('copies')

const all: { plan: Plan; made: Bundle }[] = []
for (const profile of standardProfiles()) {
  const planned = await plan(profile)
  for (const made of await bundlesOf(planned)) all.push({ plan: planned, made })
}

/** Every file of any profile that a bundle does not have and may not have: what a mutation would bring, and more. */
function absentFrom({ plan: planned, made }: (typeof all)[number]): Attributed[] {
  const allowed = allowedOwners(planned, made.target)
  const files = new Map(all.flatMap((one) => attribute(one.plan, one.made.metafile).map((file) => [file.file, file])))
  return [...files.values()].filter(({ owner }) => !allowed.has(owner) && owner !== 'registry')
}

test('no function of an absent feature comes near the threshold in any bundle of ours', async () => {
  let compared = 0
  for (const one of all) {
    const suspects = absentFrom(one)
    compared += suspects.length
    const near = await findCopies(one.plan, one.made, suspects, 0.85)
    const found = near.map(({ of, name, file, part }) => `${part} of ${name} of ${of.file} in ${file.file}`)
    assert.equal(found, [])
  }
  assert.ok(compared > 500, `${compared}`)
})

/** What is found in minimal's library with more files in its account. */
async function withFiles(texts: readonly string[]): Promise<string[]> {
  const one = all.find(({ plan: { profile }, made }) => profile.name === 'minimal' && made.target.form === 'library')!
  const metafile = structuredClone(one.made.metafile)
  const folder = folderWith(Object.fromEntries(texts.map((text, index) => [`helper-${index}.ts`, text])))
  for (const [index, text] of texts.entries()) {
    const input = join(folder, `helper-${index}.ts`)
    metafile.inputs[input] = { bytes: text.length, imports: [], format: 'esm' }
    Object.values(metafile.outputs)[0]!.inputs[input] = { bytesInOutput: text.length }
  }
  const problems = await checkCopies(one.plan, { ...one.made, metafile }, absentFrom(one))
  assert.ok(problems.every(({ code }) => code === 'ERR_PROOF_COPY'))
  return problems.map(({ message }) => message)
}

const withFile = (text: string): Promise<string[]> => withFiles([text])

const original = readFileSync(join(root, 'plugins/telemetry/metrics/http-metrics.ts'), 'utf8')

test('a copied file, as it is', async () => {
  assert.match(
    (await withFile(original)).join('\n'),
    'plugins/telemetry/metrics/http-metrics.ts (feature telemetry.metrics)',
  )
})

test('a copied file, minified', async () => {
  const { code } = await transform(original, { loader: 'ts', minify: true })
  assert.ok((await withFile(code)).length > 0)
})

test('one copied function among others, under other names', async () => {
  const { code } = await transform(original, { loader: 'ts', minifyIdentifiers: true })
  assert.ok((await withFile(`export const own = [1, 2, 3].map((n) => n + 1)\n${code}\nexport class Own {}`)).length > 0)
})

test('a copy of a package that only the absent feature brings', async () => {
  const text = readFileSync(join(root, 'node_modules/prom-client/lib/histogram.js'), 'utf8')
  assert.match((await withFile(text)).join('\n'), 'node_modules/prom-client/lib/histogram.js (package prom-client)')
})

test('a small package, vendored into one file', async () => {
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

/** Statements that somebody puts behind each line of a copy, so that no two lines of it stand together. */
const fillers = [
  (at: number) => `globalThis.tick${at % 3} = (globalThis.tick${at % 5} ?? 0) + ${at};`,
  (at: number) => `if (globalThis.never${at}) globalThis.console.log(${at});`,
]

/** A copy of code with a filler behind each statement of each block. */
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

test('a copy with a statement between every two of its own, minified or not', async () => {
  for (const filler of fillers) {
    const copy = await filled(original, filler)
    assert.ok((copy.match(/globalThis\.(?:tick|never)/g) ?? []).length > 25)
    const { code: minified } = await transform(copy, { minify: true })
    for (const text of [copy, minified]) {
      assert.match((await withFile(text)).join('\n'), '% of toHistogram of plugins/telemetry/metrics/http-metrics.ts')
    }
  }
})

test('nearly every function of an absent feature is found in a copy that is filled and minified', async () => {
  const one = all.find(({ plan: { profile }, made }) => profile.name === 'minimal' && made.target.form === 'library')!
  const files = absentFrom(one).filter(({ input }) => input.endsWith('.ts'))
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

test('a copied function that is spread over two files', async () => {
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

test('a copy in a package, through a whole build', async () => {
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

test("code of one's own is not", async () => {
  assert.equal(await withFile(readFileSync(join(root, 'scripts/build/plan/load-profile.ts'), 'utf8')), [])
})
