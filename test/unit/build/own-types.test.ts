/** The types of plugins are copied into the declarations of a library, with everything that they refer to. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ownTypes } from '../../../scripts/build/pack/own-types.ts'
import { root } from '../../../scripts/build/paths.ts'
import { namespaceOf } from '../../../scripts/build/types/namespaces.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('types of plugins')

const files = {
  'package.json': '{ "type": "module" }',
  'tide/feature.ts': `import './capabilities.ts'
import { defineFeature } from 'svc/plugin'
export const feature = defineFeature({ id: 'edge.tide', setup() {} })
`,
  'tide/capabilities.ts': `import type * as api from './api.ts'
import { type Harbour as Port } from './index.ts'
declare module 'svc/plugin' {
  interface Capabilities {
    /** The tide. */
    Tide: { at(port: Port, key: Secret): Promise<api.Level<'high'>>; port: import('./api.ts').Place }
  }
}
`,
  'tide/api.ts': `import type { Reply } from 'svc/plugin'
export interface Level<K extends string> { kind: K; metres: Metres; reply: Reply; of: typeof places }
type Metres = number
export const places: readonly string[] = []
export class Place { private readonly name: string = ''; constructor(name: string) { this.name = name } }
`,
  'tide/index.ts': `export * from './harbours.ts'
`,
  'tide/harbours.ts': `export interface Harbour { name: string; next?: Harbour }
export interface Unused { gone: true }
`,
}

const use = `import './library.mjs'
import type { Capabilities } from 'svc/plugin'
declare const tide: Capabilities['Tide']
const level = await tide.at({ name: 'Brest' }, undefined as never)
export const metres: number = level.metres
export const kind: 'high' = level.kind
export const status: number | undefined = level.reply.status
// @ts-expect-error The harbour has a name.
tide.at({}, undefined as never)
// @ts-expect-error The setting is a secret.
tide.at({ name: 'Brest' }, 'text')
`

test('a program needs no file of the plugin, and has the types of its capabilities', () => {
  const folder = folderWith({ ...files, 'use.ts': use })
  const lines = ownTypes(folder, [join(folder, 'tide/feature.ts')]).lines()
  writeFileSync(join(folder, 'library.d.mts'), `${lines.join('\n')}\nexport {}\n`)
  rmSync(join(folder, 'tide'), { recursive: true })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        skipLibCheck: false,
        types: [],
        isolatedDeclarations: false,
        paths: { 'svc/plugin': [join(root, 'core/plugin-api.ts')] },
      },
      include: ['use.ts'],
    }),
  )
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  assert.is(status, 0, `${stdout}${stderr}\n${lines.join('\n')}`)
  assert.not.match(lines.join('\n'), 'Unused')
})

test('the types of a package come from the declarations beside its code; a module without any has none', () => {
  const folder = folderWith({
    'node_modules/tide/feature.js': 'export const feature = {}\n',
    'node_modules/tide/feature.d.ts':
      "declare module 'svc/plugin' {\n  interface Capabilities { Tide: { metres: number } }\n}\nexport {}\n",
    'node_modules/bare/feature.js': 'export const feature = {}\n',
  })
  const of = (name: string): string =>
    ownTypes(folder, [join(folder, `node_modules/${name}/feature.js`)])
      .lines()
      .join('\n')
  assert.match(of('tide'), 'export interface OwnCapabilities { Tide: { metres: number } }')
  assert.match(of('tide'), 'interface Capabilities extends _tide_feature.OwnCapabilities {}')
  assert.is(of('bare'), '')
})

test('two files never have one namespace', () => {
  const files = ['/p/edge/types.ts', '/p/types.ts', '/p/edge/a-b.ts', '/p/edge/a_b.ts', '/p/edge/a/b.ts']
  assert.is(new Set(files.map((file) => namespaceOf(file, '/p/edge'))).size, files.length)
})

test.run()
