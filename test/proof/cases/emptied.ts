/** Shared code that the defines have emptied may bring in nothing. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { checkEmptied } from '../../../scripts/build/prove/checks.ts'
import { bundlesOf } from '../../../scripts/build/prove/controls/owners.ts'

/** The suite, for the file that runs it. */
export const test: Suite = suite('emptied modules')
const planned = await plan('embedded-mobile')
const [made] = await bundlesOf(planned)
const { target, metafile } = made!

/** The account of the bundle with one more module in it, of `bytes` bytes, that imports `path`. */
function withModule(name: string, path: string, external: boolean, bytes: number): typeof metafile {
  const changed = structuredClone(metafile)
  const link = { path, kind: 'import-statement' as const, original: path, ...(external && { external }) }
  changed.inputs[name] = { bytes: 100, format: 'esm', imports: [link] }
  const output = Object.values(changed.outputs).find(({ entryPoint }) => entryPoint !== undefined)!
  changed.inputs[output.entryPoint!]!.imports.push({ path: name, kind: 'import-statement', original: name })
  output.inputs[name] = { bytesInOutput: bytes }
  return changed
}

const found = (changed: typeof metafile): readonly string[] =>
  checkEmptied(planned, { target, metafile: changed }).map(({ message }) => message)

test('the bundle as it is has none', () => {
  assert.equal(found(metafile), [])
})

for (const [path, external] of [
  ['node:os', true],
  ['node_modules/pino/pino.js', false],
] as const) {
  for (const name of ['core/http/cors.ts', 'plugins/telemetry/known-method.ts']) {
    test(`${name} with nothing left of it that imports ${path}`, () => {
      const [message, ...more] = found(withModule(name, path, external, 0))
      assert.equal(more, [])
      assert.match(message!, `library: nothing is left of ${name}, and it still brings ${path}: `)
    })
  }
}

test('a module that is in use may import', () => {
  assert.equal(found(withModule('core/http/cors.ts', 'node:os', true, 40)), [])
})

test('what is left empty by a bundle that routes nothing may name the package of the kernel', () => {
  const changed = withModule('core/http/match.ts', 'node_modules/itty-router/IttyRouter.mjs', false, 0)
  changed.inputs['node_modules/itty-router/IttyRouter.mjs'] = { bytes: 100, format: 'esm', imports: [] }
  assert.equal(found(changed), [])
})

test('an empty module that imports modules of its own kind is fine', () => {
  assert.equal(found(withModule('core/http/cors.ts', 'core/errors.ts', false, 0)), [])
})
