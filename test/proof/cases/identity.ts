/**
 * The real folder of a package identifies it, in every layout that package managers make. Each record counts each byte
 * of a bundle for one package, and has its version.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Built } from '../../../scripts/build/build.ts'
import { buildDir, realPath } from '../../../scripts/build/paths.ts'
import { sbomOf } from '../../../scripts/toolkit/sbom/sbom.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'
import { buildToProof, refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('identity of packages')
const name = `identity-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** A layout: packages by folder, as `name@version`, and links. The profile is in `app`. */
interface Layout {
  readonly packages: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
}

const pnpm = 'app/node_modules/.pnpm'
const layouts: Readonly<Record<string, Layout>> = {
  'npm, flat': { packages: { 'app/node_modules/alpha': 'alpha@1.0.0', 'app/node_modules/beta': 'beta@2.0.0' } },
  'npm, with a nested second version': {
    packages: {
      'app/node_modules/alpha': 'alpha@1.0.0',
      'app/node_modules/alpha/node_modules/beta': 'beta@1.0.0',
      'app/node_modules/beta': 'beta@2.0.0',
    },
  },
  pnpm: {
    packages: {
      [`${pnpm}/alpha@1.0.0/node_modules/alpha`]: 'alpha@1.0.0',
      [`${pnpm}/beta@1.0.0/node_modules/beta`]: 'beta@1.0.0',
      [`${pnpm}/beta@2.0.0/node_modules/beta`]: 'beta@2.0.0',
    },
    links: {
      'app/node_modules/alpha': '.pnpm/alpha@1.0.0/node_modules/alpha',
      'app/node_modules/beta': '.pnpm/beta@2.0.0/node_modules/beta',
      [`${pnpm}/alpha@1.0.0/node_modules/beta`]: '../../beta@1.0.0/node_modules/beta',
    },
  },
  'a workspace': {
    packages: {
      '.': 'monorepo@0.0.0',
      'packages/alpha': 'alpha@1.0.0',
      'node_modules/beta': 'beta@1.0.0',
      'app/node_modules/beta': 'beta@2.0.0',
    },
    links: { 'node_modules/alpha': '../packages/alpha' },
  },
  'npm link, and file:': {
    packages: {
      'elsewhere/alpha': 'alpha@1.0.0',
      'elsewhere/alpha/node_modules/beta': 'beta@1.0.0',
      'app/node_modules/beta': 'beta@2.0.0',
    },
    links: { 'app/node_modules/alpha': '../../elsewhere/alpha' },
  },
}

/** The text of each package. Both versions of beta have files of the same names. */
const textOf: Readonly<Record<string, string>> = {
  alpha: "import { beta } from 'beta'\nexport const alpha = () => 'alpha of ' + beta()\n",
  beta: "export const beta = () => 'beta VERSION' + globalThis.name\n",
  jose: "export const jose = () => 'jose VERSION' + globalThis.name\n",
}

/** Creates a layout and a profile whose feature imports the packages `used` and names the packages `named`. */
function profileIn(
  { packages, links = {} }: Layout,
  used: readonly string[] = ['alpha', 'beta'],
  named: readonly string[] = used,
): string {
  const folder = folderWith({
    'app/package.json': JSON.stringify({ name: 'app', version: '0.1.0', type: 'module' }),
    'app/edge.ts': `export const profile = {
  name: '${name}', summary: 'S.', extends: 'minimal',
  library: { features: { 'edge.quote': true } },
  own: { 'edge.quote': './feature.ts' },
}\n`,
    'app/feature.ts': featureText({
      id: 'edge.quote',
      stability: 'stable',
      head: used.map((one) => `import { ${one} } from '${one}'`).join('\n'),
      about: `packages: ${JSON.stringify(named)}`,
      does: `routes: (route) => [route('GET /edge/quote', {
        about: described({ id: 'quote', summary: 'A quote.', answers: { 200: { description: 'The quote.' } } }), auth: 'handler',
        handler: () => json(200, { text: [${used.map((one) => `${one}()`).join(', ')}] }),
      })],`,
    }),
  })
  for (const [place, identity] of Object.entries(packages)) {
    const [, pack = '', version = ''] = /^(.+)@(.+)$/.exec(identity)!
    mkdirSync(join(folder, place), { recursive: true })
    writeFileSync(
      join(folder, place, 'package.json'),
      JSON.stringify({ name: pack, version, type: 'module', main: 'index.js', license: 'MIT' }),
    )
    if (pack in textOf) writeFileSync(join(folder, place, 'index.js'), textOf[pack]!.replace('VERSION', version))
  }
  for (const [from, to] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, from)), { recursive: true })
    symlinkSync(to, join(folder, from))
  }
  return join(realPath(folder), 'app/edge.ts')
}

/** The bytes of each package in the metafile, by `name@version`: the folders of a layout are known here. */
function bytesInMetafile(profile: string, { packages }: Layout, { bundles }: Built): Record<string, number> {
  const folders = Object.entries(packages)
    .filter(([place]) => place !== '.')
    .map(([place, named]) => [`${join(dirname(profile), '..', place)}/`, named] as const)
    .sort(([a], [b]) => b.length - a.length)
  const sums: Record<string, number> = {}
  for (const { metafile } of bundles)
    for (const { inputs } of Object.values(metafile.outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const file = join(import.meta.dirname, '../../..', input)
        const named = folders.find(([folder]) => file.startsWith(folder))?.[1]
        if (named !== undefined) sums[named] = (sums[named] ?? 0) + bytesInOutput
      }
  return sums
}

function bytesInRecords({ account, proofs }: Built, named: string): Record<string, number> {
  const [, pack = '', version = ''] = /^(.+)@(.+)$/.exec(named)!
  const place = Object.entries(account!.packages).find(([, one]) => one.name === pack && one.version === version)?.[0]
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  const { components = [] } = sbomOf(account!) as {
    components?: { name: string; version?: string; properties?: { name: string; value: string }[] }[]
  }
  const component = components.find((one) => one.name === pack && one.version === version)
  return {
    account: sum(
      account!.bundles.flatMap(({ inputs }) =>
        Object.values(inputs).flatMap((one) => (one.package === place ? one.bytes : [])),
      ),
    ),
    sbom: sum(
      (component?.properties ?? []).filter((one) => one.name.startsWith('svc:bytes:')).map((one) => +one.value),
    ),
    proof: sum(
      proofs.flatMap((one) =>
        Object.entries(one.in).flatMap(([owner, { bytes }]) =>
          owner === `foreign:${pack}` || owner === `foreign:${pack} (${place})` ? bytes : [],
        ),
      ),
    ),
    hashed: proofs.filter(({ packages }) => place !== undefined && packages[place]?.version === version).length,
  }
}

for (const [what, layout] of Object.entries(layouts))
  test(`${what}: the bytes of each package are the same in every record`, async () => {
    const profile = profileIn(layout)
    const built = await buildToProof(profile)
    const expected = bytesInMetafile(profile, layout, built)
    const packages = Object.values(layout.packages).filter((named) => !named.startsWith('monorepo'))
    assert.equal(Object.keys(expected).sort(), [...packages].sort())
    for (const [named, bytes] of Object.entries(expected)) {
      assert.ok(bytes > 0, named)
      const hashed = built.proofs.length
      assert.equal(bytesInRecords(built, named), { account: bytes, sbom: bytes, proof: bytes, hashed }, named)
    }
  })

test("a plugin's own version of a package that this project has too is another package", async () => {
  const layout: Layout = {
    packages: { ...layouts['npm, flat']!.packages, 'app/node_modules/jose': 'jose@5.0.0' },
  }
  const profile = profileIn(layout, ['alpha', 'beta', 'jose'])
  const built = await buildToProof(profile)
  const bytes = bytesInMetafile(profile, layout, built)['jose@5.0.0']!
  assert.equal(bytesInRecords(built, 'jose@5.0.0'), { account: bytes, sbom: bytes, proof: bytes, hashed: 2 })
  const versions = Object.values(built.account!.packages).flatMap((one) => (one.name === 'jose' ? one.version : []))
  assert.is(versions.length, 2)
})

test('a linked package is one that a feature must name, like any other', async () => {
  const { code, message } = await refusal(profileIn(layouts['a workspace']!, ['alpha', 'beta'], ['beta']))
  assert.is(code, 'ERR_PROOF_LEAK', message)
  assert.match(message, './../packages/alpha/index.js (foreign alpha) is in the bundle: ./feature.ts → ')
})
