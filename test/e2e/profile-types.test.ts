/**
 * The types of the package follow the profile: code that uses an absent feature does not compile, and the message names
 * the profiles that have the feature.
 */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../scripts/build/paths.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('types of a profile')
const reason = existsSync(join(distDir('npm'), 'index.d.ts')) ? undefined : 'make package has not been run'

const head = `import { createRuntime as full, type Profile as Full } from 'svc'
import { createRuntime, type Profile, type Runtime } from 'svc/minimal'
import { createClient } from 'svc/client'
import { defineFeature } from 'svc/plugin'
`

/** A program that uses the features of two profiles, each with its own types. */
const good = `${head}
const secret: string = 'x'.repeat(32)
const runtime: Runtime<Profile> = createRuntime({
  settings: { security: { jwt_secret: secret, jwt_required: true }, server: { max_body_bytes: 2048 }, edge: { author: 'a' } },
})
runtime.capability('Live').publish
runtime.capability('Fetch')
full({ settings: { security: { jwt_secret: secret }, logs: {} } }).capability('Telemetry')
declare module 'svc/plugin' {
  interface Capabilities { EdgeQuotes: { next(): string } }
}
const plugin = defineFeature({ id: 'edge.quotes', provides: ['EdgeQuotes'], setup() {} })
createRuntime({ plugins: [plugin] }).capability('EdgeQuotes').next()
createClient().api.GET('/api/v1/status')
createClient<Profile>().api.GET('/api/svc/runs/{run_id}', { path: { run_id: 'r' } })
const anywhere: Runtime = runtime
export type Here = Profile['routes']
export const route: Here = 'GET /health'
export { anywhere, plugin }
export type { Full }
`

/** Lines that must not compile, each with the expected message of the compiler. */
const refused: readonly (readonly [line: string, says: RegExp])[] = [
  [`createRuntime().capability('Telemetry')`, /the library of minimal lacks it, server-cluster, server-full have it/],
  [`full().capability('ReceiptStore')`, /the library of server-full lacks it, its program has it/],
  [
    `createRuntime({ settings: { telemetry: { sample_ratio: 1 } as never, sync: { retention_days: 9 } } })`,
    /the library of minimal lacks it, server-cluster, server-full have it/,
  ],
  [`createRuntime({ settings: { security: { jwt_secrett: 'x' } } })`, /jwt_secrett/],
  [
    `createRuntime({ settings: { security: { jwt_required: 'no' } } })`,
    /'string' is not assignable to type 'boolean \| undefined'/,
  ],
  [`createRuntime().capability('Lives')`, /"?'?Lives/],
  [
    `createClient<Profile>().api.GET('/api/v1/status')`,
    /the library of minimal lacks it, server-cluster, server-full have it/,
  ],
  [`const r: Profile['routes'] = 'GET /metrics'`, /GET \/metrics/],
  [`const mixed: Runtime<Profile> = full()`, /./],
]

/** The messages of the compiler for a program that uses the installed package, and beside it the folder of a built library. */
function messages(text: string, library?: string): string[] {
  const folder = folderWith({ 'program.ts': text, 'package.json': '{"type":"module"}' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(distDir('npm'), join(folder, 'node_modules/svc'))
  if (library !== undefined) symlinkSync(library, join(folder, 'library'))
  const program = ts.createProgram([join(folder, 'program.ts')], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

testUnless(test, reason, 'a program with the features of two profiles and a capability of the host compiles', () => {
  assert.equal(messages(good), [])
})

testUnless(
  test,
  reason,
  'code with an absent feature does not compile, and the message names the profiles that have it',
  () => {
    // First all lines in one program, each with an expected error. Then the messages are compared.
    const expected = refused.map(([line]) => `// @ts-expect-error\n{ ${line} }`)
    assert.equal(messages(`${head}\nimport type {} from 'svc'\n${expected.join('\n')}\n`), [])
    const errors = messages(`${head}\n${refused.map(([line]) => `{ ${line} }`).join('\n')}\n`)
    for (const [line, says] of refused) {
      assert.ok(
        errors.some((message) => says.test(message)),
        `${line}: ${errors.join('\n')}`,
      )
    }
  },
)

/** Programs on the libraries of the two embedded profiles, with the declarations that a build writes beside them. */
const embedded: readonly (readonly [profile: string, program: string])[] = [
  ['embedded-mobile', 'declare const host: { sqlWasm: Uint8Array } & Parameters<typeof createEmbedded>[0]["host"]'],
  [
    'embedded-native',
    `import type { CallbackHost, HostDatabase } from './library/index.mjs'
declare const host: CallbackHost
declare const database: HostDatabase`,
  ],
]

for (const [profile, declared] of embedded) {
  const dist = distDir(profile)
  const unbuilt = existsSync(join(dist, 'index.d.mts')) ? reason : `${profile} has not been built`
  testUnless(test, unbuilt, `the declarations beside the library of ${profile} are those of its own engine`, () => {
    const options = profile === 'embedded-native' ? '{ host, database }' : '{ host }'
    const program = (given: string): string =>
      `import { createEmbedded } from './library/index.mjs'\n${declared}\nconst { status } = await (await createEmbedded(${given})).sync.submit(new Uint8Array())\nexport const known: 200 | 201 = status\n`
    assert.equal(messages(program(options), dist), [])
    assert.match(messages(program('{}'), dist).join(), /is missing in type|missing the following/)
  })
}

test.run()
