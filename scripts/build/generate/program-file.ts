/**
 * A program as one file for Node: an ES module whose first lines define `require` for the CommonJS program that
 * follows. `generate` copies this file beside its output, so this file may import nothing.
 */

const HEAD = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
`

/** The name by which a program refers to its place: an object with `url`, `dirname` and `filename`. */
export const placeName = 'svcPlace'

/** A line after {@link HEAD}, only in a program that asks for its place. */
const PLACE = `const ${placeName} = import.meta;
`

/** Whether a program asks for its place. */
export function asksForPlace(program: string): boolean {
  return program.includes(placeName)
}

/** The text of the file. */
export function toProgramFile(program: string): string {
  return `${HEAD}${asksForPlace(program) ? PLACE : ''}${program}`
}

/** Returns the program in a file, or undefined if the file does not begin with the lines of {@link toProgramFile}. */
export function programIn(file: string): string | undefined {
  if (!file.startsWith(HEAD)) return undefined
  const rest = file.slice(HEAD.length)
  const program = rest.startsWith(PLACE) ? rest.slice(PLACE.length) : rest
  return toProgramFile(program) === file ? program : undefined
}

/**
 * The program as a function, for an executable. The boot code passes what a script in an executable lacks: `require`,
 * `import`, which otherwise prints a warning, and the place, which only some programs ask for.
 */
export function toScript(program: string): string {
  const place = asksForPlace(program) ? `,${placeName}` : ''
  return `(function(require,svcImport,svcCodeCache,svcStarted${place}){${program.replace(IMPORT, 'svcImport("')}\n})`
}

/**
 * A dynamic import of an external module, as the bundler prints it. A method named `import` does not match, because no
 * such method is called with a string.
 */
const IMPORT = /(?<![\w$.])import\("/g
