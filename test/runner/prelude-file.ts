/**
 * Writes the prelude as one JavaScript file. Node loads a compiler of its own to read a prelude in TypeScript, which
 * takes longer than the rest of the start of a test process.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { workDir } from '../../scripts/build/paths.ts'

const source = join(import.meta.dirname, 'prelude.ts')

/** Writes the prelude to `.build/stripped/` and returns its URL. */
export function writePrelude(): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // The modules find files relative to `import.meta.url`, so all of them are in this folder.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
  })
  const { contents } = outputFiles[0]!
  const folder = join(workDir, '.build', 'stripped')
  const file = join(folder, `prelude-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.js`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, contents)
  renameSync(`${file}.${process.pid}`, file)
  return pathToFileURL(file).href
}
