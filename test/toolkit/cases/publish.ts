/** docs/publish.md: a plugin becomes a package, another profile has it, and its absence is proven. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import type { ProofFile } from '../../../scripts/build/prove/dist.ts'
import type { Case } from '../case.ts'
import type { Rig } from '../rig.ts'

const page = readFileSync(join(root, 'docs/publish.md'), 'utf8')

/** A file, or a command with the lines that it prints. */
type Step =
  | { readonly command: string; readonly lines: readonly string[] }
  | { readonly file: string; readonly text: string }

/** The steps of the page in their order. */
const steps: readonly Step[] = [
  ...page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```|```console\n([\s\S]*?)```/g),
].flatMap(([, file, text, commands]): Step[] =>
  file === undefined
    ? commands!
        .split(/^\$ /m)
        .slice(1)
        .map((said) => {
          const [command, ...lines] = said.trimEnd().split('\n')
          return { command: command!, lines }
        })
    : [{ file, text: text! }],
)

/** Runs a command as a person types it. */
function shell({ folder }: Rig, command: string): string {
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    NO_COLOR: '1',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 26,
  })
  assert.is(status, 0, `${command}\n${stdout}\n${stderr}`)
  return stdout
}

/** The names in a folder of declarations that a program would read. */
function sourcesNamed(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)(?:\s+|\()['"]([^'"]+)['"]/g)].map(([, module]) => module!)
}

/** The cases. They need the files of `init`. */
export const publishCases: readonly Case[] = [
  [
    'the page on publishing does what it prints: a package, a feature of another profile, and a proven absence',
    (rig) => {
      const { write, path, read } = rig
      // The page expects an installed TypeScript.
      mkdirSync(path('node_modules/.bin'), { recursive: true })
      if (!existsSync(path('node_modules/.bin/tsc')))
        symlinkSync(join(root, 'node_modules/typescript/bin/tsc'), path('node_modules/.bin/tsc'))
      for (const step of steps) {
        if ('file' in step) {
          mkdirSync(dirname(path(step.file)), { recursive: true })
          write(step.file, step.text)
          continue
        }
        const out = shell(rig, step.command)
        for (const line of step.lines.filter((line) => line !== '…')) {
          const pattern = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ *…/g, '.*')
          assert.match(out, new RegExp(`^${pattern}$`, 'm'), step.command)
        }
      }
      const proof = (name: string): ProofFile => JSON.parse(read(`dist/${name}/proof.json`)) as ProofFile
      for (const { file, in: present } of proof('harbour').bundles)
        assert.ok(
          Object.keys(present).some((owner) => owner.includes('tide')),
          file,
        )
      for (const { file, out } of proof('inland').bundles) assert.is(out['edge.tide']?.bytes, 0, file)
      const packed = readdirSync(path('node_modules/svc-tide/dist'))
      for (const name of ['feature.js', 'feature.d.ts']) assert.ok(packed.includes(name), name)
    },
  ],
  [
    'the types of a library import from the package svc alone, and hold what the plugin of the profile declares',
    ({ read }) => {
      for (const name of ['edge', 'weather', 'harbour']) {
        const text = read(`dist/${name}/index.d.mts`)
        assert.equal(
          sourcesNamed(text).filter((module) => !module.startsWith('svc/')),
          [],
          name,
        )
      }
      assert.match(read('dist/weather/index.d.mts'), /interface OwnCapabilities \{\s+Weather: Sky &/)
    },
  ],
]
