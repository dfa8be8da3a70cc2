/**
 * TypeScript's parser. It is required and not imported: to find out what a CommonJS file of nine megabytes exports takes longer
 * than to run it.
 */
import { createRequire } from 'node:module'
import type typescript from 'typescript'

/** What `typescript` exports; the types come from the package itself. */
export const TS: typeof typescript = createRequire(import.meta.url)('typescript') as typeof typescript
