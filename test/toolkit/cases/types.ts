/** The types of a user's build: they follow the profile, and two profiles in one program do not mix. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { filesOf } from '../../support/docs.ts'
import type { Case } from '../case.ts'
import type { Rig } from '../rig.ts'

const head = `import { createRuntime as edge, type Profile as Edge, type Runtime } from '../dist/edge/index.mjs'
import { createRuntime as weather, type Profile as Weather } from '../dist/weather/index.mjs'
import { createRuntime as full } from 'svc'
import { createRuntime as minimal } from 'svc/minimal'
import { createClient } from 'svc/client'
import { defineFeature } from 'svc/plugin'
`

const good = `${head}
const secret = 'x'.repeat(32)
const one = edge({ settings: { security: { jwt_secret: secret }, edge: { author: 'Mies' } } })
one.capability('Live').publish
const two = weather({ settings: { weather: { author: 'Mies' } } })
const now: string = two.capability('Weather').now()
declare module 'svc/plugin' {
  interface Capabilities { Tide: { height: number } }
}
const tide = defineFeature({ id: 'host.tide', provides: ['Tide'], setup() {} })
edge({ plugins: [tide] }).capability('Tide').height
const metrics = defineFeature({ id: 'host.own', provides: ['Telemetry'], setup() {} })
weather({ plugins: [tide, metrics] }).capability('Telemetry')
createClient<Edge>().api.GET('/api/svc/runs/{run_id}', { path: { run_id: 'r' } })
export const here: Edge['routes'] = 'GET /edge/quote/{number}'
export const there: Weather['routes'] = 'GET /edge/weather/{number}'
export const any: Runtime = one
export { now }
`

/** Lines that must not compile, each with the expected message of the compiler. */
const refused: readonly (readonly [line: string, says: RegExp])[] = [
  [`edge().capability('Telemetry')`, /the library of edge lacks it, server-cluster, server-full have it/],
  [`edge().capability('Weather')`, /no plugin of edge or of the host gives it/],
  [`full().capability('ReceiptStore')`, /the library of server-full lacks it, its program has it/],
  [
    `edge({ settings: { security: { jwt_required: 'no' } } })`,
    /'string' is not assignable to type 'boolean \| undefined'/,
  ],
  [
    `createClient<Edge>().api.GET('/api/v1/status')`,
    /the library of edge lacks it, server-cluster, server-full have it/,
  ],
  [`minimal().capability('Weather')`, /no plugin of minimal or of the host gives it/],
  [`weather().capability('Live')`, /the library of weather lacks it, minimal, server-cluster, server-full have it/],
  [`edge().capability('Wether')`, /Wether/],
  [`edge({ settings: { edge: { author: 7 } } })`, /'number' is not assignable to type 'string'/],
  [`edge({ settings: { edge: { autor: 'Mies' } } })`, /autor/],
  [
    `weather({ settings: { realtime: { topics: {} } } })`,
    /the library of weather lacks it, minimal, server-cluster, server-full have it/,
  ],
  [`const r: Edge['routes'] = 'GET /edge/weather/{number}'`, /edge\/weather/],
  [`const r: Weather['routes'] = 'GET /health/none'`, /health\/none/],
  [`createClient<Weather>().api.GET('/api/svc/runs')`, /the library of weather lacks it/],
  [`const mixed: Runtime<Weather> = edge()`, /./],
]

/** The compiler's messages for a program that uses the builds. */
function messages({ write, path }: Rig, text: string): string[] {
  mkdirSync(path('types'), { recursive: true })
  write('types/program.ts', text)
  write(
    'types/tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: [],
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        // The declaration files are checked too.
        skipLibCheck: false,
      },
      include: ['program.ts'],
    }),
  )
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', 'types'], { cwd: path('.'), encoding: 'utf8' })
  return stdout.trim() === '' ? [] : stdout.trim().split(/\n(?=\S)/)
}

/** The cases. They need the builds of `edge` and `weather`. */
export const typeCases: readonly Case[] = [
  [
    'code that uses present settings, routes and capabilities of a profile and of the host compiles, with two profiles in one program',
    (rig) => assert.equal(messages(rig, good), []),
  ],
  [
    'code that uses absent features does not compile, and the message names the profiles that have them',
    (rig) => {
      // All lines are in one program and expected to fail. Then the program is compiled without the expectations to get
      // the messages.
      const expected = refused.map(([line]) => `// @ts-expect-error\n{ ${line} }`)
      assert.equal(messages(rig, `${head}\n${expected.join('\n')}\n`), [])
      const found = messages(rig, `${head}\n${refused.map(([line]) => `{ ${line} }`).join('\n')}\n`)
      for (const [line, says] of refused) {
        assert.ok(
          found.some((message) => says.test(message)),
          `${line}: ${found.join('\n')}`,
        )
      }
    },
  ],
  [
    'the program that the page shows compiles and runs',
    ({ write, folder, path }) => {
      // The tsconfig.json of the folder would include the folder `types`.
      rmSync(path('types'), { recursive: true })
      write('use-edge.ts', filesOf('toolkit.md')['use-edge.ts']!)
      const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
      const checked = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' })
      assert.is(checked.status, 0, checked.stdout)
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', path('use-edge.ts')],
        {
          cwd: folder,
          encoding: 'utf8',
        },
      )
      assert.match(stdout, '"quote":"Less is more."', stderr)
    },
  ],
]
