/**
 * Loads the sources of this project without their types from `.build/stripped/`, and keeps what V8 has compiled. The
 * Makefile bundles this module to `.build/loader.js` for Node's `--import`: as TypeScript it would load Node's own
 * compiler of types, which takes longer than all the rest.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepStripped } from './stripped.ts'

// The bundle is one folder below the root too.
const root = new URL('../', import.meta.url).href

// Coverage is less precise with compiled code (Node's documentation of `node:module`).
if (process.env['NODE_V8_COVERAGE'] === undefined) enableCompileCache(fileURLToPath(new URL('.build/compiled/', root)))
keepStripped(root)
