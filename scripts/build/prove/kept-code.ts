/**
 * What proofs have read of files, kept for the next build: most files of a build are those of the one before, and reading them
 * is most of a proof. A row stands under the hash of the text and of what chose in it, so that it is never that of another file. Rows are
 * sealed like everything in `.build/cache/`, and in CI there are none.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { version as esbuildVersion } from 'esbuild'
import { cacheDir, isCi, readJson, writeJson } from '../cache/cache-files.ts'
import { root } from '../paths.ts'
import type { FunctionShape, Shape } from './copies/shape.ts'
import type { Form } from './forms/forms.ts'
import { treeHash } from './packages/tree-hash.ts'

/** What is read of the code of one file. */
export interface ReadCode {
  readonly forms: readonly Form[]
  readonly shape: Shape
}

interface Row {
  readonly forms: readonly Form[]
  /** The bytes of the shingles, in base64. */
  readonly shingles: string
  readonly functions: readonly FunctionShape[]
}

interface Kept {
  /** Of what reads the files. */
  readonly reader: string
  readonly rows: Readonly<Record<string, Row>>
}

/** Rows in the file. Where there would be more, only those that this process has used stay. */
const MOST_ROWS = 10_000

/** What is read of files, by the key of each. */
export interface CodeStore {
  /** What an earlier build, or this process, read of a text; undefined where none did. */
  get(key: string): ReadCode | undefined
  /** Notes what was read of a text, for {@link CodeStore.write}. */
  note(key: string, code: ReadCode): void
  /** Writes what was noted. To be called when a proof holds, and with it the hashes of the packages that read the files. */
  write(): void
}

/** Opens the rows of a file, which is read when the first is asked for. */
export function createCodeStore(file: string = join(cacheDir, 'code.json')): CodeStore {
  let before: Map<string, Row> | undefined
  /** Rows that this process asked for or made. */
  const used = new Map<string, Row>()
  let hasNew = false
  return {
    get: (key) => {
      const row = used.get(key) ?? (before ??= readRows(file)).get(key)
      if (row === undefined) return undefined
      used.set(key, row)
      return fromRow(row)
    },
    note: (key, code) => {
      if (isCi()) return
      used.set(key, toRow(code))
      hasNew = true
    },
    write: () => {
      if (!hasNew || isCi()) return
      hasNew = false
      // Another build may have written meanwhile.
      const rows = new Map([...readRows(file), ...used])
      const kept: Kept = { reader: readerHash(), rows: Object.fromEntries(rows.size > MOST_ROWS ? used : rows) }
      writeJson(file, kept)
    },
  }
}

function toRow({ forms, shape: { shingles, functions } }: ReadCode): Row {
  const bytes = Buffer.from(shingles.buffer, shingles.byteOffset, shingles.byteLength)
  return { forms, shingles: bytes.toString('base64'), functions }
}

function fromRow({ forms, shingles, functions }: Row): ReadCode {
  const bytes = Uint8Array.from(Buffer.from(shingles, 'base64'))
  return { forms, shape: { shingles: new Uint32Array(bytes.buffer), functions } }
}

function readRows(file: string): Map<string, Row> {
  const kept = isCi() ? undefined : readJson<Kept>(file)
  return new Map(kept?.reader === readerHash() ? Object.entries(kept.rows) : [])
}

let reader: string | undefined

/** The hash of what a row depends on besides the text: this code, the parser, the bundler and the Node that runs them. */
function readerHash(): string {
  // The parser itself takes a quarter of a second to load.
  const parser = createRequire(import.meta.url)('typescript/package.json') as { readonly version: string }
  reader ??= createHash('sha256')
    .update(treeHash(join(root, 'scripts/build/prove')))
    .update(readFileSync(join(root, 'scripts/build/typescript.ts')))
    .update(readFileSync(join(root, 'scripts/build/plan/defines.ts')))
    .update(JSON.stringify([esbuildVersion, parser.version, process.version]))
    .update(process.env['ESBUILD_BINARY_PATH'] ?? '')
    .digest('hex')
  return reader
}
