/** The command of the npm package. It starts the program, or prints the required version if Node is too old. */

/** The oldest Node that the program runs on: it has the `node:sqlite` that the store of receipts needs. */
export const programNode: readonly [major: number, minor: number] = [22, 16]

/** The oldest Node that the libraries run on. */
export const libraryNode: string = '>=20'

/** Text of `svc.js`. Its syntax and its imports work in every Node that supports ES modules. */
export function launcherText(): string {
  const [major, minor] = programNode
  return `#!/usr/bin/env node
var have = process.versions.node.split('.').map(Number)
if (have[0] < ${major} || (have[0] === ${major} && have[1] < ${minor})) {
  console.error('svc: this program needs Node ${major}.${minor} or newer, and runs on ' + process.versions.node + '.')
  console.error('  \\u2192 Use a newer Node, or the single executable, which brings its own. The libraries run here.')
  process.exitCode = 1
} else {
  import('./program.js')
}
`
}
