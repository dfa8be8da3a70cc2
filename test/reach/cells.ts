/** The entries of the package, each with the suite that tests whether the entry works. */
import { sequenceCases, shapeCases } from '../support/vectors/agui.ts'
import { signatureCases } from '../support/vectors/ed25519.ts'
import { joseCases } from '../support/vectors/jose.ts'
import { canonicalCases, jsonCases } from '../support/vectors/json.ts'
import { streamCases } from '../support/vectors/sse.ts'
import type { LanguageCases } from './suite/vectors.ts'

/** An entry of the package and its suite. */
export interface Cell {
  /** The file name of the cell's modules in a project. */
  readonly id: string
  /** The title in the table. */
  readonly title: string
  /** The entries that the cell imports. Empty for a program. */
  readonly entries: readonly string[]
  /** Whether the cell needs the WebAssembly of the engine. */
  readonly wasm?: boolean
  /** Whether the cell needs sql.js without WebAssembly, as the database of its host. */
  readonly asm?: boolean
  /** Source lines that export `steps`. They follow the imports of the entries, which are named `entry0` and so on. */
  readonly steps?: string
  /** The reason why the cell needs `node:` modules. Undefined if it needs none. */
  readonly needsNode?: string
  /** The suite of cases of the sources, which needs no entry. */
  readonly vectors?: VectorSuite
}

/** A suite that tests sources instead of the package. */
export interface VectorSuite {
  /** The module of the suite below `suite/`. */
  readonly module: string
  /** The function that creates the steps from the cases. */
  readonly steps: string
  /** Makes the cases, as data. */
  readonly cases: () => object
}

const minimal = (id: string, entry: string): Cell => ({
  id,
  title: `\`${entry}\``,
  entries: [entry, 'svc/dev'],
  steps: `import { minimalSteps } from './suite/minimal.js'
export const steps = () => minimalSteps(entry0, entry1)`,
})

function languageCases(): LanguageCases {
  return {
    ...{ json: jsonCases(), canonical: canonicalCases(), signatures: signatureCases() },
    ...{ shapes: shapeCases(), sequences: sequenceCases(), streams: streamCases() },
  }
}

/** The columns of the table. */
export const cells: readonly Cell[] = [
  minimal('minimal', 'svc/minimal'),
  minimal('single', 'svc/minimal/single'),
  {
    id: 'client',
    title: '`svc/client`',
    entries: ['svc/client'],
    steps: `import { clientSteps } from './suite/client.js'
export const steps = () => clientSteps(entry0)`,
  },
  {
    id: 'embedded',
    title: '`svc/embedded-mobile`, `svc/sign`',
    entries: ['svc/embedded-mobile', 'svc/sign'],
    wasm: true,
    steps: `import { embeddedSteps } from './suite/embedded-mobile.js'
import sqlWasm from './sql-wasm.js'
export const steps = () => embeddedSteps(entry0, entry1, sqlWasm)`,
  },
  {
    id: 'native',
    title: '`svc/embedded-native`, `svc/sign`',
    entries: ['svc/embedded-native', 'svc/sign'],
    asm: true,
    steps: `import { nativeSteps } from './suite/embedded-native.js'
import startSqlJs from './sql-asm.js'
export const steps = () => nativeSteps(entry0, entry1, startSqlJs)`,
  },
  {
    id: 'node',
    title: '`svc/node`',
    entries: ['svc/node', 'svc/minimal', 'svc/dev'],
    needsNode: 'it mounts a library in `node:http`',
    steps: `import { nodeSteps } from './suite/node.js'
export const steps = () => nodeSteps(entry0, entry1, entry2)`,
  },
  { id: 'program', title: '`svc.mjs`', entries: [], needsNode: 'a program of Node' },
  { id: 'toolkit', title: '`svc-build`', entries: [], needsNode: 'a program of Node' },
  {
    id: 'vectors',
    title: 'vectors of JSON, Ed25519, AG-UI, SSE',
    entries: [],
    vectors: { module: 'vectors', steps: 'vectorSteps', cases: languageCases },
  },
  {
    id: 'jwt',
    title: 'vectors of JWT, JWKS',
    entries: [],
    vectors: { module: 'vectors-jwt', steps: 'jwtSteps', cases: joseCases },
  },
]

/** The column with an id. */
export function cellOf(id: string): Cell {
  const found = cells.find((cell) => cell.id === id)
  if (found === undefined) throw new TypeError(`no cell ${id}`)
  return found
}

/** The result of a cell: the number of passed steps and the problems, or the reason why it was not run. */
export type Outcome =
  | { readonly passed: number; readonly of: number; readonly problems: readonly string[] }
  | { readonly left: string }
