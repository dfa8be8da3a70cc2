/**
 * Bundles the code for runs and entity streams of a node at a commit, for `test/e2e/cluster/old-nodes.test.ts`.
 *
 *   node test/support/old-nodes/make.ts <commit>
 *
 * A change of the messages that nodes write to NATS needs such a file of the previous version.
 */
import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from '../../../scripts/build/paths.ts'
import { folderWith } from '../folder.ts'

const [commit] = process.argv.slice(2)
if (commit === undefined) throw new TypeError('usage: make.ts <commit>')
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const id = git('rev-parse', '--short=8', `${commit}^{commit}`)
const folder = join(folderWith(), 'tree')
git('worktree', 'add', '--detach', folder, id)
try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'test/e2e/cluster/run-nodes.ts')],
    ...{ bundle: true, minify: true, write: false, platform: 'node', format: 'esm', target: 'node22' },
    // The client of NATS is CommonJS in parts.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  writeFileSync(join(import.meta.dirname, `${id}.mjs.br`), brotliCompressSync(outputFiles[0]!.contents))
} finally {
  git('worktree', 'remove', '--force', folder)
}
