/** A copy of an absent feature's code is found under any name, and nothing else is taken for one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bundle, bundle } from '../../scripts/build/bundle.ts'
import { generateTarget } from '../../scripts/build/generate.ts'
import { standardProfiles } from '../../scripts/build/load-profile.ts'
import { root } from '../../scripts/build/paths.ts'
import { plan } from '../../scripts/build/plan.ts'
import { type Attributed, allowedOwners, attribute } from '../../scripts/build/prove/attribute.ts'
import { COPIED, checkCopies, findCopies } from '../../scripts/build/prove/copies.ts'
import type { Plan } from '../../scripts/build/target-plan.ts'
import { folderWith } from '../support/folder.ts'
import { ownProfile } from '../support/own-profile.ts'
import { refusal } from '../support/refusal.ts'

const test = suite('copies')

const all: { plan: Plan; made: Bundle }[] = []
for (const profile of standardProfiles()) {
  const planned = await plan(profile)
  for (const target of planned.targets) all.push({ plan: planned, made: await bundle(generateTarget(planned, target)) })
}

/** Every file of any profile that a bundle does not have and may not have: what a mutation would bring, and more. */
function absentFrom({ plan: planned, made }: (typeof all)[number]): Attributed[] {
  const allowed = allowedOwners(planned, made.target)
  const files = new Map(all.flatMap((one) => attribute(one.plan, one.made.metafile).map((file) => [file.file, file])))
  return [...files.values()].filter(({ owner }) => !allowed.has(owner) && owner !== 'registry')
}

/** The two packages of one author have this helper in common. */
const sharedByAuthor = 'abytes of node_modules/@noble/ed25519/index.js in node_modules/@noble/hashes/utils.js'

test('no function of an absent feature comes near the threshold in any bundle of ours', async () => {
  let compared = 0
  for (const one of all) {
    const suspects = absentFrom(one)
    compared += suspects.length
    const near = await findCopies(one.plan, one.made, suspects, COPIED / 1.5)
    const found = near.map(({ of, name, file }) => `${name} of ${of.file} in ${file.file}`)
    assert.equal(
      found.filter((line) => line !== sharedByAuthor),
      [],
    )
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

test('a copied function that is spread over two files', async () => {
  const whole = /^function registerBoth[\s\S]*?^}$/m.exec(original)![0]
  const cut = whole.indexOf("  const name = 'svc_http_request_duration_seconds'")
  assert.ok(cut > 0)
  const files = [
    `export ${whole.slice(0, cut)}}`,
    `export function rest(registry, all, bounds, labelNames) {\n${whole.slice(cut)}`,
  ]
  assert.match((await withFiles(files)).join(), '% of registerBoth of plugins/telemetry/metrics/http-metrics.ts')
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
  const { code, message } = await refusal(profile)
  assert.is(code, 'ERR_PROOF_COPY')
  assert.match(message, 'node_modules/edge-greeter/lib/text.js (feature edge.greeter) holds ')
  assert.match(message, 'of plugins/telemetry/metrics/http-metrics.ts (feature telemetry.metrics), which is absent')
})

test("code of one's own is not", async () => {
  assert.equal(await withFile(readFileSync(join(root, 'scripts/build/load-profile.ts'), 'utf8')), [])
})

test.run()
