/**
 * A program as one file that Node runs: an ES module whose first lines give the program, a CommonJS script, its `require`.
 * This file is copied beside what `generate` writes, so it needs nothing.
 */

const HEAD = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
`

/** The text of the file. */
export function toProgramFile(program: string): string {
  return `${HEAD}${program}`
}

/** The program of a file; undefined where the file does not begin as {@link toProgramFile} begins one. */
export function programIn(file: string): string | undefined {
  return file.startsWith(HEAD) ? file.slice(HEAD.length) : undefined
}

/**
 * The program as a function, for an executable, whose boot calls it with what a script there has not of itself: `require`, and
 * `import` too, which Node gives to scripts with a warning alone.
 */
export function toScript(program: string): string {
  return `(function(require,svcImport,svcCodeCache,svcStarted){${program.replace(IMPORT, 'svcImport("')}\n})`
}

/** An import of what stays outside, as the bundler prints it; a method of this name takes no text. */
const IMPORT = /(?<![\w$.])import\("/g
