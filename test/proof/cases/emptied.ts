/** Shared code from which the defines have removed everything must not import anything. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkEmptied } from '../../../scripts/build/prove/checks.ts'
import { bundlesOf, planOf } from '../../support/bundles.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('emptied modules')
const planned = await planOf('embedded-mobile')
const [made] = await bundlesOf(planned)
const { target, metafile } = made!

/** The account of the bundle with an additional module of `bytes` bytes that imports `path`. */
function withModule(name: string, path: string, external: boolean, bytes: number): typeof metafile {
  const changed = structuredClone(metafile)
  const link = { path, kind: 'import-statement' as const, original: path, ...(external && { external }) }
  changed.inputs[name] = { bytes: 100, format: 'esm', imports: [link] }
  const output = Object.values(changed.outputs).find(({ entryPoint }) => entryPoint !== undefined)!
  changed.inputs[output.entryPoint!]!.imports.push({ path: name, kind: 'import-statement', original: name })
  output.inputs[name] = { bytesInOutput: bytes }
  return changed
}

const messagesFor = (changed: typeof metafile): readonly string[] =>
  checkEmptied(planned, { target, metafile: changed }).map(({ message }) => message)

test('the unchanged bundle has no empty module with imports', () => {
  assert.equal(messagesFor(metafile), [])
})

for (const [path, external] of [
  ['node:os', true],
  ['node_modules/pino/pino.js', false],
] as const) {
  for (const name of ['core/http/cors.ts', 'plugins/telemetry/known-method.ts']) {
    test(`an empty ${name} must not import ${path}`, () => {
      const [message, ...more] = messagesFor(withModule(name, path, external, 0))
      assert.equal(more, [])
      assert.match(message!, `library: nothing is left of ${name}, and it still brings ${path}: `)
    })
  }
}

test('a module that is in use may have imports', () => {
  assert.equal(messagesFor(withModule('core/http/cors.ts', 'node:os', true, 40)), [])
})

test('an empty module of a bundle without routes may import the package of the kernel', () => {
  const changed = withModule('core/http/match.ts', 'node_modules/itty-router/IttyRouter.mjs', false, 0)
  changed.inputs['node_modules/itty-router/IttyRouter.mjs'] = { bytes: 100, format: 'esm', imports: [] }
  assert.equal(messagesFor(changed), [])
})

test('an empty module may import other modules of the core', () => {
  assert.equal(messagesFor(withModule('core/http/cors.ts', 'core/declare/errors.ts', false, 0)), [])
})
