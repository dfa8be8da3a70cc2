/**
 * A program as one file for Node: an ES module whose first lines define `require` for the CommonJS program that
 * follows. `generate` copies this file beside its output, so this file may import nothing.
 */

const HEAD = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
`

/** The text of the file. */
export function toProgramFile(program: string): string {
  return `${HEAD}${program}`
}

/** Returns the program in a file, or undefined if the file does not begin with the lines of {@link toProgramFile}. */
export function programIn(file: string): string | undefined {
  return file.startsWith(HEAD) ? file.slice(HEAD.length) : undefined
}

/**
 * The program as a function, for an executable. The boot code passes what a script in an executable lacks: `require`,
 * and `import`, which otherwise prints a warning.
 */
export function toScript(program: string): string {
  return `(function(require,svcImport,svcCodeCache,svcStarted){${program.replace(IMPORT, 'svcImport("')}\n})`
}

/**
 * A dynamic import of an external module, as the bundler prints it. A method named `import` does not match, because no
 * such method is called with a string.
 */
const IMPORT = /(?<![\w$.])import\("/g
