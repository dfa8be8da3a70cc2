/** From an empty folder to a proven build. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../../scripts/build/paths.ts'
import type { ProofFile } from '../../../scripts/build/prove/dist.ts'
import { withoutCommit } from '../../../scripts/build/stamp.ts'
import { toolHelp } from '../../../scripts/toolkit/help.ts'
import { tools } from '../../../scripts/toolkit/tools.ts'
import type { Case } from '../case.ts'
import { masked } from '../rig.ts'

/** The cases of help, init, build and test. */
export const startCases: readonly Case[] = [
  [
    'the help of every command shows its usage and an example',
    async ({ good }) => {
      const names = [...good('--help').matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name!)
      assert.ok(names.includes('build') && names.length >= 16, names.join(' '))
      assert.equal([...names].sort(), Object.keys(tools).sort())
      for (const name of names) {
        // One command shows that the installed program prints this text.
        const help = toolHelp(name, (await tools[name]!.load()).tool)
        if (name === 'build') assert.is(good(name, '--help'), help)
        assert.match(
          help,
          new RegExp(
            `^Usage: svc-build ${name}\\b[^]*--json[^]*\\nExample:\\n  svc-build ${name}[^]*\\nExit codes: 0 done, 1 .*, 64 .*, 78 .*\\n$`,
          ),
          name,
        )
      }
    },
  ],
  [
    'wrong usage exits with 64, the nearest name and a hint; with --json it prints an error envelope',
    ({ run, json }) => {
      const { code, err, out } = run(['biuld'])
      assert.equal([code, out], [64, ''])
      assert.is(err, 'There is no command "biuld".\n  → Did you mean build? svc-build --help lists them.\n')
      for (const args of [[], ['build'], ['explain', 'minimal'], ['build', 'minimal', '--fast']]) {
        assert.is(run(args).code, 64, args.join(' '))
      }
      const { error } = json<{ error: { code: string; hint: string } }>(['build', 'minimal', '--fast'], 64)
      assert.is(error.code, 'ERR_TOOL_USAGE')
    },
  ],
  [
    'init writes a profile, and does not overwrite files',
    ({ good, run, read }) => {
      assert.match(good('init'), /^ {2}edge\.ts\n {2}quote\.ts\n/)
      assert.match(read('package.json'), '"type": "module"')
      const { code, err } = run(['init'])
      assert.is(code, 78)
      assert.match(err, 'edge.ts, quote.ts')
      assert.is(run(['init', 'profile', '../up']).code, 64)
    },
  ],
  [
    'the files of init type-check against the installed package',
    ({ folder }) => {
      const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' })
      assert.is(status, 0, stdout)
    },
  ],
  [
    'build proves the profile, prints its stages on stderr and its result on stdout',
    ({ run, path }) => {
      const { code, out, err } = run(['build', 'edge.ts'])
      assert.is(code, 0, err)
      assert.match(out, /^edge library \(web\): .*edge\.quote\n/)
      assert.match(out, /svc\.mjs: \d+ proven absent \(each with a mutation control\)/)
      assert.match(out, /→ \.\/dist\/edge\/\n$/)
      const stages = ['plan', 'generate', 'bundle', 'prove', 'start', 'pack']
      assert.is(masked(err), stages.map((stage) => `edge.ts: ${stage} <n> s\n`).join(''))
      for (const name of ['account.json', 'index.mjs', 'manifest.json', 'proof.json', 'svc.mjs']) {
        assert.ok(existsSync(path(`dist/edge/${name}`)), name)
      }
    },
  ],
  [
    'the second build in a new folder answers from the record of the first, and runs no stage',
    ({ run }) => {
      const { code, out, err } = run(['build', 'edge.ts'])
      assert.equal([code, err], [0, ''])
      assert.match(out, /^edge\.ts: nothing has changed since \S+, when this was built and proven\n/)
    },
  ],
  [
    'what init writes passes its tests on every form, the sources included',
    ({ run }) => {
      const { code, out, err } = run(['test', 'edge.ts'])
      assert.is(code, 0, `${out}\n${err}`)
      for (const form of ['source', 'library', 'server node', 'program'])
        assert.match(out, new RegExp(`^edge +${form} +[1-9]\\d* +0 +\\d+$`, 'm'))
    },
  ],
  [
    'a standard profile has the same bytes as in the project',
    ({ good, path }) => {
      good('build', 'minimal')
      // The comparison leaves out the manifest, the account and the proof, because `make binary` adds an executable
      // only in the project's folder.
      const own = readdirSync(path('dist/minimal')).filter((name) => name.endsWith('.mjs') || name.endsWith('.wasm'))
      for (const name of own) {
        // Only the project's bundle names the commit of its sources, because the folder of a user is another repository
        // or none.
        const [here, there] = [path(`dist/minimal/${name}`), join(distDir('minimal'), name)].map((file) => {
          const bytes = readFileSync(file)
          return name === 'svc.mjs' ? Buffer.from(withoutCommit(bytes.toString())) : bytes
        })
        assert.ok(here!.equals(there!), name)
      }
      const proofs = (file: string): Map<string, unknown> => {
        const { bundles } = JSON.parse(readFileSync(file, 'utf8')) as ProofFile
        return new Map(bundles.map((bundle) => [bundle.file, bundle]))
      }
      const there = proofs(join(distDir('minimal'), 'proof.json'))
      for (const [file, proof] of proofs(path('dist/minimal/proof.json'))) assert.equal(proof, there.get(file), file)
    },
  ],
  [
    'a new plugin is built and proved, and passes its contract',
    ({ good, json, read, write }) => {
      good('init', 'plugin', 'weather')
      // The plugin also provides a capability, so that the later cases can check its types.
      write(
        'weather/sky.ts',
        'export interface Sky {\n  /** The weather of this moment. */\n  now(): Now\n}\ntype Now = string\n',
      )
      const declared =
        "import type { Sky } from './sky.ts'\ndeclare module 'svc/plugin' {\n  interface Capabilities {\n    Weather: Sky & { readonly key?: Secret }\n  }\n}\n"
      const plugin = read('weather/feature.ts')
        .replace('  settings: {', "  provides: ['Weather'],\n  settings: {")
        .replace(
          '  setup({ settings, metrics, log, onStart }) {\n',
          "  setup({ settings, metrics, log, onStart, provide }) {\n    provide('Weather', { now: () => 'sun' })\n",
        )
      write('weather/feature.ts', `${plugin}\n${declared}`)
      const { profile, forms } = json<{ profile: string; forms: Record<string, { passed: number; failed: number }> }>([
        'test',
        'weather/profile.ts',
      ])
      assert.is(profile, 'weather')
      for (const form of ['source', 'library']) assert.ok(forms[form]!.passed >= 3 && forms[form]!.failed === 0, form)
    },
  ],
]
