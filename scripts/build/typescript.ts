/**
 * TypeScript's parser, loaded when the first file is parsed: loading takes a quarter of a second, and most commands of
 * the toolkit parse nothing. It is loaded with `require`, because an import makes Node scan the CommonJS file of nine
 * megabytes for its exports, which takes longer than running it.
 */
import { createRequire } from 'node:module'
import type typescript from 'typescript'

/**
 * The exports of `typescript`, set by {@link loadTypeScript}. Code that has a node of a syntax tree may use it, because
 * a tree exists only after loading.
 */
export let TS: typeof typescript

/** Loads the parser once. Functions that parse call this first. */
export function loadTypeScript(): typeof typescript {
  TS ??= createRequire(import.meta.url)('typescript') as typeof typescript
  return TS
}
