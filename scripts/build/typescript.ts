/**
 * TypeScript's parser. It is loaded when the first file is parsed: loading takes a quarter of a second, and most commands of the
 * toolkit parse nothing. It is required and not imported: to find out what a CommonJS file of nine megabytes exports takes longer
 * than to run it.
 */
import { createRequire } from 'node:module'
import type typescript from 'typescript'

/** What `typescript` exports, after {@link loadTypeScript}. Code that holds a node of a tree may use it: a tree is parsed after that. */
export let TS: typeof typescript

/** Loads the parser once. Functions that parse call this first. */
export function loadTypeScript(): typeof typescript {
  TS ??= createRequire(import.meta.url)('typescript') as typeof typescript
  return TS
}
