/**
 * The output of every command for one example, and the shape of its `--json` document, compared with the files of
 * `golden/`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { leaveSeen } from '../../../scripts/renew/seen-texts.ts'
import { tools } from '../../../scripts/toolkit/tools.ts'
import { BUILD_MS } from '../../runner/limit.ts'
import { isDeep } from '../../support/count.ts'
import type { Case } from '../case.ts'
import { masked, type Rig } from '../rig.ts'

const folder = 'test/toolkit/golden'

/** Compares a text with a golden file. */
function compareWithGolden(name: string, text: string): void {
  const file = join(root, folder, name)
  const found = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (found !== text) leaveSeen(`${folder}/${name}`, () => text)
  assert.fixture(found, text, `${name} is stale: make renew`)
}

/**
 * The shape of a document: its members with the types of their values. Lists, and objects whose member names depend on
 * the build, are reduced to the distinct shapes of their elements.
 */
function shapeOf(value: unknown, indent = ''): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    const shapes = [...new Set((value as unknown[]).map((element) => shapeOf(element, indent)))].sort()
    // Whether a list of strings is empty depends on the build.
    return shapes.length === 0 || shapes.join() === 'string' ? '[string]' : `[${shapes.join(' | ')}]`
  }
  const rows = Object.entries(value)
    .map(([name, member]) => [name, shapeOf(member, deeper)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const isNamed = rows.length > 0 && rows.some(([name]) => /[^a-zA-Z0-9$-]/.test(name))
  if (!isNamed)
    return `{${rows.map(([name, shape]) => `\n${deeper}${name}: ${shape}`).join('')}${rows.length > 0 ? `\n${indent}` : ''}}`
  return `{\n${deeper}<name>: ${[...new Set(rows.map(([, shape]) => shape))].sort().join(' | ')}\n${indent}}`
}

/** The arguments of every command. Commands without `text` have their output on the page about the toolkit. */
const calls: Readonly<
  Record<string, { readonly text?: readonly string[]; readonly json: readonly string[]; readonly code?: number }>
> = {
  init: { json: ['init', 'plugin', 'tide'] },
  build: { text: ['build', 'edge.ts', 'bundle'], json: ['build', 'edge.ts', 'bundle'] },
  matrix: { text: ['matrix', 'edge.ts'], json: ['matrix', 'edge.ts'] },
  explain: { text: ['explain', 'edge.ts', 'edge.quote'], json: ['explain', 'edge.ts', 'itty-router'] },
  diff: { json: ['diff', './dist/edge', 'edge.ts'] },
  sbom: { text: ['sbom', 'edge.ts', '--out', 'golden.cdx.json'], json: ['sbom', 'edge.ts', '--file', 'index.mjs'] },
  notice: { text: ['notice', 'edge.ts', '--out', 'NOTICE'], json: ['notice', 'edge.ts'] },
  sign: { text: ['sign', 'edge.ts', '--new-key', 'golden.pem'], json: ['sign', 'edge.ts', '--key', 'golden.pem'] },
  verify: {
    text: ['verify', 'edge.ts', '--key', 'golden.pem.pub'],
    json: ['verify', 'edge.ts', '--key', 'golden.pem.pub'],
  },
  advisory: {
    text: ['advisory', 'edge.ts', 'golden-in.json', 'golden-absent.json'],
    json: ['advisory', 'edge.ts', 'golden-in.json', 'golden-absent.json'],
    code: 1,
  },
  report: { text: ['report', 'edge.ts', '--out', 'golden.html'], json: ['report', 'edge.ts', '--out', 'golden.html'] },
  combos: {
    text: ['combos', '--pairwise', '--shard', '2/40'],
    json: ['combos', 'edge.ts', '--pairwise', '--shard', '3/40'],
  },
  bench: { json: ['bench', 'dev'] },
}

/** Masks numbers, hashes and feature sets, which change with the code. */
function stable(text: string): string {
  return (
    masked(text)
      .replace(/\d[\d.]*/g, '<n>')
      .replace(/ +(?=<n>)/g, ' ')
      .replace(/sha256:\S+/g, 'sha256:<hash>')
      // The sets change with every feature.
      .replace(/^set <n>: .*$/gm, 'set <n>: …')
  )
}

function advisory(id: string, name: string): string {
  return JSON.stringify({ id, summary: `A flaw in ${name}`, affected: [{ package: { ecosystem: 'npm', name } }] })
}

/** The cases. */
export const goldenCases: readonly Case[] = [
  ...Object.entries(calls).map(
    ([name, { text, json, code = 0 }]): Case => [
      `${name} prints the output of its golden file, and its document has the shape of its golden file`,
      (rig: Rig) => {
        rig.write('golden-in.json', advisory('TEST-1', 'jose'))
        rig.write('golden-absent.json', advisory('TEST-2', 'prom-client'))
        // A benchmark of one round is not precise, so it may miss its limit.
        const env = { SVC_BENCH_ROUNDS: '1' }
        if (text !== undefined) {
          const ended = rig.run(text, env)
          assert.is(ended.code, code, ended.err)
          compareWithGolden(`${name}.txt`, stable(ended.out))
        }
        const ended = rig.run([...json, '--json'], env)
        assert.ok(ended.code === code || (name === 'bench' && ended.code === 1), `${ended.code}: ${ended.err}`)
        const document = JSON.parse(ended.out) as { readonly bars?: readonly string[] }
        if (name === 'bench') assert.is(document.bars!.length, 1, ended.out)
        compareWithGolden(`${name}.json.txt`, `${shapeOf(document)}\n`)
      },
    ],
  ),
  [
    'every command has a golden file, except configure, dev, test and binary',
    () => assert.equal([...Object.keys(calls), 'configure', 'dev', 'test', 'binary'].sort(), Object.keys(tools).sort()),
  ],
  [
    'dev and binary print a JSON document too',
    async ({ start, json }) => {
      const child = start(['dev', 'edge.ts', '--port', '0', '--json'])
      await child.waitFor(/http:\/\/127\.0\.0\.1:\d+/, BUILD_MS)
      const { code } = await child.stop('SIGTERM', BUILD_MS)
      assert.is(code, 0, child.err)
      // With --json, the log of the service goes to stderr.
      const { rebuilds } = JSON.parse(child.out) as { rebuilds: number }
      assert.ok(rebuilds >= 1)
      const [binary] = json<{ file: string; bytes: number; blobSha256: string; binaries: unknown[] }[]>([
        'binary',
        'edge.ts',
      ])
      assert.match(binary!.file, /dist\/edge\/svc$/)
      assert.ok(binary!.bytes > 2 ** 24 && binary!.blobSha256.length === 64 && Array.isArray(binary!.binaries))
    },
  ],
  [
    'every command exits with 64 for wrong usage and with 78 for an unknown profile, with a message and a hint but no stack',
    ({ run }) => {
      // All commands that plan a profile share one implementation, and so do those that read a build, so a few commands
      // are enough.
      const profiles = isDeep()
        ? Object.keys(tools).filter((name) => !['init', 'bench'].includes(name))
        : ['build', 'explain', 'diff', 'verify']
      // All commands read their arguments with the same function.
      const wrong = (isDeep() ? Object.keys(tools) : profiles).map((name) => [name, '--no-such-option'])
      const more: Record<string, string[]> = {
        diff: ['minimal'],
        explain: ['jose'],
        advisory: ['golden-in.json'],
        sign: ['--new-key', 'none.pem'],
      }
      const missing = profiles.map((name) => [name, 'no-such-profile', ...(more[name] ?? [])])
      for (const [calls, wanted] of [
        [wrong, 64],
        [missing, 78],
      ] as const) {
        for (const args of calls) {
          const { code, out, err } = run(args)
          assert.equal([code, out], [wanted, ''], `${args.join(' ')}: ${err}`)
          assert.match(err, /^.+\n {2}→ .+\n$/m)
          assert.not.match(err, /^ {4}at /m)
        }
      }
    },
  ],
]
