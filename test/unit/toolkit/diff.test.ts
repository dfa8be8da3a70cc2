/** The differences of two builds by kind, and `--fail-on` for each kind. */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Account } from '../../../scripts/build/account/account.ts'
import { tool } from '../../../scripts/toolkit/commands/diff.ts'
import { type Change, compare, kinds } from '../../../scripts/toolkit/diff/compare.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('toolkit: diff')

type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> }

/** A small build. Each case changes one member. */
function account(): Mutable<Account> {
  return {
    version: 1,
    toolkit: '1.0.0',
    profile: 'edge',
    summary: 's',
    bundles: [
      {
        file: 'index.mjs',
        form: 'library',
        platform: 'web',
        bytes: 1000,
        gzipBytes: 400,
        gzipTotal: 400,
        sha256: '',
        parts: {},
        entry: 'generated/entry.ts',
        inputs: { 'quote/plugin.ts': { bytes: 1000, owner: 'feature:edge.quote', imports: [] } },
        assets: {},
        externals: [],
        builtins: [],
      },
    ],
    packages: { 'node_modules/jose': { name: 'jose', version: '6.0.0', licence: 'MIT', sha256: 'a' } },
    features: {
      'edge.quote': {
        summary: 's',
        stability: 'stable',
        since: '1.0.0',
        in: { library: 'small' },
        profiles: [],
        asked: [],
        requires: [],
        routes: ['runtime GET /quote'],
        settings: { 'edge.author': { default: 'Mies', expected: 'a text' } },
        packages: ['jose'],
        owns: [],
      },
    },
  }
}

/** For each kind: a change of only this kind, and the expected members of the reported difference. */
const changes: readonly (readonly [
  kind: Change['kind'],
  change: (one: ReturnType<typeof account>) => void,
  told: Partial<Change>,
])[] = [
  [
    'feature',
    ({ features }) =>
      void (features['edge.more'] = { ...features['edge.quote']!, in: { main: true }, routes: [], settings: {} }),
    { name: 'edge.more', from: null, to: { main: true } },
  ],
  [
    'variant',
    ({ features }) => void (features['edge.quote']!.in.library = 'large'),
    { name: 'edge.quote', to: { library: 'large' } },
  ],
  [
    'stability',
    ({ features }) => void (features['edge.quote']!.stability = 'deprecated'),
    { from: 'stable', to: 'deprecated' },
  ],
  [
    'route',
    ({ features }) => void (features['edge.quote']!.routes = []),
    { name: 'runtime GET /quote', to: null, noticed: 'GET /quote is refused: 404, or 401 without a credential' },
  ],
  [
    'setting',
    ({ features }) => void (features['edge.quote']!.settings = {}),
    { name: 'edge.author', to: null, noticed: 'a configuration with edge.author is refused at start' },
  ],
  [
    'default',
    ({ features }) => void (features['edge.quote']!.settings['edge.author']!.default = 'Rams'),
    { from: 'Mies', to: 'Rams', noticed: 'without a value edge.author is "Rams"' },
  ],
  [
    'builtin',
    ({ bundles }) => void bundles[0]!.builtins.push('node:fs'),
    { name: 'node:fs', file: 'index.mjs', from: null },
  ],
  [
    'package',
    ({ packages }) =>
      void (packages['node_modules/more'] = { name: 'more', version: '1.0.0', licence: null, sha256: '' }),
    { name: 'more', from: null },
  ],
  [
    'version',
    ({ packages }) => void (packages['node_modules/jose']!.version = '6.0.1'),
    { from: '6.0.0', to: '6.0.1' },
  ],
  ['licence', ({ packages }) => void (packages['node_modules/jose']!.licence = 'ISC'), { from: 'MIT', to: 'ISC' }],
  [
    'bytes',
    ({ bundles }) => void (bundles[0]!.gzipBytes = 401),
    { name: 'gzip', file: 'index.mjs', from: 400, to: 401 },
  ],
]

for (const [kind, change, expected] of changes) {
  test(`${kind}: reported as this kind only, and only --fail-on=${kind} and any make the tool fail`, async () => {
    const [before, after] = [account(), account()]
    change(after)
    const found = compare(before, after)
    assert.equal(
      found.map((one) => one.kind),
      [kind],
    )
    for (const [member, value] of Object.entries(expected))
      assert.equal(found[0]![member as keyof Change], value, member)
    const back = compare(after, before)
    assert.equal(
      back.map(({ kind: of, from, to }) => [of, from, to]),
      [[kind, found[0]!.to, found[0]!.from]],
    )
    const folder = folderWith({
      'before/account.json': JSON.stringify(before),
      'before/proof.json': '{}',
      'after/account.json': JSON.stringify(after),
      'after/proof.json': '{}',
    })
    const others = kinds.filter((one) => one !== kind)
    assert.is(await exitOf(folder, [kind]), 1)
    assert.is(await exitOf(folder, ['any']), 1)
    assert.is(await exitOf(folder, others), 0)
    assert.is(await exitOf(folder, []), 0)
  })
}

async function exitOf(folder: string, failOn: readonly string[]): Promise<number | undefined> {
  const quiet = (): undefined => undefined
  const { code } = await tool.run({
    words: [join(folder, 'before'), join(folder, 'after')],
    flag: () => false,
    value: () => undefined,
    values: (name) => (name === 'fail-on' ? failOn : []),
    io: { json: false, color: false, out: quiet, note: quiet, step: quiet },
  })
  return code
}

test('each kind has a case', () => {
  assert.equal(
    changes.map(([kind]) => kind),
    [...kinds],
  )
})

test.run()
