/** The commands that answer questions about a build: explain, diff, sbom, notice, advisory, report. */
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import * as assert from 'uvu/assert'
import type { Case } from '../case.ts'
import { masked, onTerminal } from '../rig.ts'

interface Verdict {
  readonly id: string
  readonly status: string
  readonly justification?: string
  readonly files: Record<string, number>
  readonly controls: Record<string, { mutation: string }>
}

const osv = (id: string, name: string, more: object = {}): string =>
  JSON.stringify({ id, summary: `A flaw in ${name}`, affected: [{ package: { ecosystem: 'npm', name }, ...more }] })

/** The cases. */
export const questionCases: readonly Case[] = [
  [
    'explain: a present setting is shown with its files, its imports and the line that asks for it',
    ({ good }) => {
      assert.is(
        masked(good('explain', 'edge.ts', 'edge.author')),
        [
          'setting edge.author is in edge',
          '  index.mjs: <n> bytes of its feature in 1 file',
          '    <n>  ./quote.ts',
          '    generated/entry.ts → generated/registry.ts → ./quote.ts',
          '  svc.mjs: <n> bytes of its feature in 1 file',
          '    <n>  ./quote.ts',
          '    generated/entry.ts → generated/registry.ts → ./quote.ts',
          '  feature edge.quote: in library, main',
          '    ./edge.ts:7 asks for it (true) in library',
          '',
        ].join('\n'),
      )
      assert.match(
        good('explain', 'edge.ts', 'jose'),
        /generated\/entry\.ts → .*auth\/crypto\/node\.ts → node_modules\/jose/,
      )
      assert.match(good('explain', 'edge.ts', 'node:crypto'), /svc\.mjs: used in \d+ files?\n/)
      assert.match(good('explain', 'edge.ts', 'GET', '/edge/quote/:number'), /^route .* is in edge\n/)
    },
  ],
  [
    'explain: an absent route is shown with the profiles that have it and the controls',
    ({ good, run }) => {
      const output = good('explain', 'edge.ts', '/metrics')
      assert.match(output, /^route \/metrics is not in edge\n {2}index\.mjs: absent\n {2}svc\.mjs: absent\n/)
      assert.match(
        output,
        /feature telemetry\.metrics: absent; server-cluster, server-full have it\n {4}no line of edge asks for it\n/,
      )
      assert.match(
        output,
        /control, svc\.mjs telemetry\.metrics: switched on, the bundle has \d+ bytes of it, and the proof names plugins\/telemetry/,
      )
      assert.match(good('explain', 'edge.ts', 'prom-client'), 'package prom-client is not in edge')
      const { code, err } = run(['explain', 'edge.ts', 'telemetry.metric'])
      assert.is(code, 1)
      assert.match(err, 'Did you mean telemetry.metrics?')
      assert.match(run(['explain', 'edge.ts', '/metriks']).err, 'Did you mean /metrics?')
      assert.match(run(['explain', 'edge.ts', 'node:cripto']).err, 'Did you mean node:crypto?')
      assert.match(
        good('explain', 'edge.ts', 'node:sqlite'),
        /^built-in node:sqlite is not in edge\n[\s\S]* {2}profile server-full: (?:uses it in .*svc\.mjs|not built here)\n/,
      )
    },
  ],
  [
    'explain: a removed feature is shown with the line that removes it',
    ({ good, write }) => {
      write(
        'slim.ts',
        [
          "import { defineProfile } from 'svc/plugin'",
          '',
          'export const profile = defineProfile({',
          "  name: 'slim',",
          "  summary: 'minimal without the bridge',",
          "  extends: 'minimal',",
          "  library: { features: { 'realtime.bridge': false } },",
          "  main: { features: { 'realtime.bridge': false } },",
          '})',
          '',
        ].join('\n'),
      )
      good('build', 'slim.ts')
      const output = good('explain', 'slim.ts', 'realtime.bridge')
      assert.match(output, /^feature realtime\.bridge is not in slim\n/)
      assert.match(output, /\n {4}\.\/slim\.ts:7 takes it out of library\n/)
      assert.match(output, /\n {4}\.\/slim\.ts:8 takes it out of main\n/)
      assert.match(
        output,
        /control, svc\.mjs realtime\.bridge: switched on, the bundle has \d+ bytes of it, and the proof names /,
      )
    },
  ],
  [
    'diff: routes, settings and bytes are compared, and --fail-on sets the exit code',
    ({ json, good, run }) => {
      const { changes } = json<{ changes: { kind: string; name: string; from: unknown; to: unknown }[] }>([
        'diff',
        'minimal',
        'edge.ts',
      ])
      const of = (kind: string) => changes.filter((change) => change.kind === kind)
      assert.equal(of('feature'), [
        { kind: 'feature', name: 'edge.quote', from: null, to: { library: true, main: true } },
      ])
      assert.equal(
        of('route').map(({ name }) => name),
        ['runtime GET /edge/quote/:number', 'runtime POST /edge/quotes'],
      )
      assert.equal(
        of('setting').map(({ name }) => name),
        ['edge.author', 'edge.webhook_secret'],
      )
      assert.equal(of('package'), [])
      assert.ok(of('bytes').some(({ name }) => name === 'feature:edge.quote'))
      assert.match(
        good('diff', 'minimal', 'edge.ts'),
        /noticed by clients and operators:\n {2}GET \/edge\/quote\/:number answers\n/,
      )
      assert.is(run(['diff', 'minimal', 'edge.ts', '--fail-on=route,licence']).code, 1)
      assert.is(run(['diff', 'minimal', 'edge.ts', '--fail-on=licence']).code, 0)
      assert.is(run(['diff', 'minimal', 'edge.ts', '--fail-on=colour']).code, 64)
      assert.match(good('diff', 'minimal', 'minimal'), 'no difference')
    },
  ],
  [
    'a terminal gets a bold title and an updated line, without styles for NO_COLOR; other outputs get plain lines; --json prints one document everywhere',
    ({ folder, good, run }) => {
      const plain = good('diff', 'minimal', 'edge.ts')
      const colored = onTerminal(folder, 'diff minimal edge.ts')
      if (colored === undefined) return
      assert.is(colored, plain.replace('minimal → edge', '\u001b[1mminimal → edge\u001b[22m'))
      assert.is(onTerminal(folder, 'diff minimal edge.ts', { NO_COLOR: '1' }), plain)
      assert.equal(
        JSON.parse(onTerminal(folder, 'diff minimal edge.ts --json')!),
        JSON.parse(good('diff', 'minimal', 'edge.ts', '--json')),
      )
      const moving = onTerminal(folder, 'build minimal bundle')!
      assert.match(moving, /\r\u001b\[Kminimal: plan \u001b\[2m[\d.]+ s\u001b\[22m/)
      const uncolored = onTerminal(folder, 'build minimal bundle', { NO_COLOR: '1' })!
      assert.match(uncolored, /\r\u001b\[Kminimal: plan [\d.]+ s/)
      assert.not.match(uncolored, /\u001b\[\d*m/)
      const dumb = onTerminal(folder, 'build minimal bundle', { TERM: 'dumb' })!
      assert.match(dumb, /^minimal: plan [\d.]+ s\n/)
      assert.not.match(`${dumb}${run(['build', 'minimal', 'bundle']).err}`, /[\r\u001b]/)
    },
  ],
  [
    'sbom: the document is valid CycloneDX 1.6 without a date, and is the same every time',
    async ({ good }) => {
      const text = good('sbom', 'edge.ts')
      const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
      assert.is(problem, null, JSON.stringify(problem))
      assert.is(good('sbom', 'edge.ts'), text)
      const { components, serialNumber } = JSON.parse(text) as { components: { purl?: string }[]; serialNumber: string }
      assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const purls = components.map(({ purl }) => purl?.replace(/@[^@]*$/, ''))
      assert.equal(purls.sort(), [
        'pkg:npm/%40noble/hashes',
        'pkg:npm/eventsource-parser',
        'pkg:npm/hash-wasm',
        'pkg:npm/itty-router',
        'pkg:npm/jose',
      ])
      assert.not.match(text, /timestamp|20\d\d-\d\d-\d\dT/)
    },
  ],
  [
    'notice: the licence texts of the present packages are printed, and a licence policy can fail the build',
    ({ good, run, read, write }) => {
      const text = good('notice', 'edge.ts')
      for (const name of ['svc ', 'hash-wasm ', 'itty-router ', 'jose '])
        assert.match(text, new RegExp(`^${name}\\d`, 'm'))
      assert.match(text, 'Permission is hereby granted')
      write('strict.ts', read('edge.ts').replace("name: 'edge',", "name: 'strict',\n  licenses: ['Apache-2.0'],"))
      const { code, err } = run(['build', 'strict.ts'])
      assert.is(code, 1)
      assert.match(
        err,
        /ERR_POLICY_LICENCE: jose [\d.]+ \(node_modules\/jose\) is under "MIT", and the profile allows Apache-2\.0\./,
      )
      assert.throws(() => read('dist/strict/proof.json'), /ENOENT/)
      assert.not.match(err, 'strict.ts: prove', 'a build that must not be delivered is not proved')
    },
  ],
  [
    'advisory: a package is affected, not in the bundle, absent, fixed or unknown, also as OpenVEX',
    ({ json, write, read, good }) => {
      const shaken = json<{ bundles: { files: Record<string, number> }[] }>(['explain', 'edge.ts', 'jose'])
        .bundles.flatMap(({ files }) => Object.entries(files))
        .find(([, bytes]) => bytes === 0)![0]
        .replace('node_modules/jose/', '')
      write('in.json', osv('TEST-1', 'jose', { ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] }))
      write('out.json', osv('TEST-2', 'jose', { ecosystem_specific: { imports: [{ path: shaken }] } }))
      write('absent.json', osv('TEST-3', 'prom-client'))
      write(
        'fixed.json',
        osv('TEST-4', 'jose', { ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '6.0.0' }] }] }),
      )
      write('misspelled.json', osv('TEST-5', 'prom-cleint'))
      const files = ['in.json', 'out.json', 'absent.json', 'fixed.json', 'misspelled.json']
      const { verdicts } = json<{ verdicts: Verdict[] }>(['advisory', 'edge.ts', ...files, '--openvex', 'vex.json'], 1)
      assert.equal(
        verdicts.map(({ id, status, justification }) => [id, status, justification]),
        [
          ['TEST-1', 'affected', undefined],
          ['TEST-2', 'not_affected', 'vulnerable_code_not_present'],
          ['TEST-3', 'not_affected', 'component_not_present'],
          ['TEST-4', 'fixed', undefined],
          ['TEST-5', 'unknown', undefined],
        ],
      )
      assert.match(verdicts[2]!.controls['svc.mjs telemetry.metrics']!.mutation, 'plugins/telemetry/')
      const vex = JSON.parse(read('vex.json')) as {
        '@context': string
        statements: { status: string; justification?: string }[]
      }
      assert.is(vex['@context'], 'https://openvex.dev/ns/v0.2.0')
      for (const { status, justification } of vex.statements)
        assert.is(status === 'not_affected', justification !== undefined)
      assert.match(
        good('advisory', 'edge.ts', 'absent.json'),
        /^TEST-3: not affected: prom-client: no file of the package was read/,
      )
    },
  ],
  [
    'report: the page has no script, and its policy allows none',
    ({ json, read }) => {
      json(['report', 'minimal', 'edge.ts', '--out', 'report.html'])
      const page = read('report.html')
      assert.match(
        page,
        /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
      )
      assert.not.match(page, /<script|<link|<img|href=|src=|url\(|\son[a-z]+=/i)
      assert.match(page, /edge\.quote: \d+\.\d/)
    },
  ],
]
