/** The declarations of the embedded libraries. test/toolkit/cases/types.ts has those of other profiles. */
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

/**
 * The messages of the compiler for a program that uses the installed package, and beside it the folder of a built
 * library.
 */
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
