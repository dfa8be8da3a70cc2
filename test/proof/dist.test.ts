/** The delivered folder is what was proven: every file has a row in the proof, and there are no other files. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildProfile } from '../../scripts/build/build.ts'
import { checkDist, type ProofFile, seal } from '../../scripts/build/prove/dist.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('dist')
process.env['SVC_DIST'] = folderWith()
const { folder } = await buildProfile('embedded-mobile')

function copy(): string {
  const at = join(folderWith(), 'dist')
  cpSync(folder!, at, { recursive: true })
  return at
}

const messages = (at: string): string =>
  checkDist(at)
    .map(({ code, message }) => `${code} ${message}`)
    .join('\n')

test('every file has an owner, a size and a hash, also assets', () => {
  const { files, bundles } = JSON.parse(readFileSync(join(folder!, 'proof.json'), 'utf8')) as ProofFile
  assert.equal(
    Object.entries(files).map(([name, { owner }]) => [name, owner]),
    [
      ['account.json', 'account'],
      ['index.d.mts', 'types of index.mjs'],
      ['index.mjs', 'bundle'],
      ['manifest.json', 'manifest'],
      ['sql-wasm.wasm', 'feature:sync.store-sqljs'],
    ],
  )
  assert.is(bundles.length, 1)
  assert.is(messages(copy()), '')
})

const changes: Readonly<Record<string, [change: (at: string) => void, message: string]>> = {
  'an edited bundle': [(at) => appendFileSync(join(at, 'index.mjs'), '//'), 'index.mjs is not the file'],
  'an edited asset': [(at) => appendFileSync(join(at, 'sql-wasm.wasm'), '0'), 'sql-wasm.wasm is not the file'],
  'an edited manifest': [(at) => appendFileSync(join(at, 'manifest.json'), ' '), 'manifest.json is not the file'],
  'an additional file': [(at) => writeFileSync(join(at, 'x.mjs'), ''), 'x.mjs has no row'],
  'an additional folder': [(at) => mkdirSync(join(at, 'lib')), 'lib has no row'],
  'a missing file': [(at) => rmSync(join(at, 'sql-wasm.wasm')), 'sql-wasm.wasm is missing'],
  'a renamed file': [(at) => renameSync(join(at, 'index.mjs'), join(at, 'svc.mjs')), 'svc.mjs has no row'],
}

for (const [what, [change, message]] of Object.entries(changes)) {
  test(`${what} is refused`, () => {
    const at = copy()
    change(at)
    assert.match(messages(at), `ERR_PROOF_DIST ${message}`)
  })
}

test('a row that was changed to match another bundle is refused', () => {
  const at = copy()
  appendFileSync(join(at, 'index.mjs'), '//')
  const { profile, bundles, files } = JSON.parse(readFileSync(join(at, 'proof.json'), 'utf8')) as ProofFile
  const owners = Object.fromEntries(Object.entries(files).map(([name, { owner }]) => [name, owner]))
  assert.throws(() => seal(at, profile, bundles, owners, true), /index\.mjs is not the bundle that was proven/)
})

test('an executable whose bundle was not proven is refused', () => {
  const at = copy()
  writeFileSync(join(at, 'svc'), 'x')
  const { profile, bundles } = JSON.parse(readFileSync(join(at, 'proof.json'), 'utf8')) as ProofFile
  const owners = { 'index.mjs': 'bundle', 'manifest.json': 'manifest', 'sql-wasm.wasm': 'feature:x', svc: 'executable' }
  assert.throws(() => seal(at, profile, bundles, owners, true), /svc carries a bundle that was not proven/)
})

test.run()
