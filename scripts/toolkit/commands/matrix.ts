/** `svc-build matrix`: the features and the profiles that have them. */
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { EXIT, toolFail } from '../errors.ts'
import { columnsOf, linesOf, orderedProfiles } from '../matrix/columns.ts'
import { keepCopy } from '../matrix/copy.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[profile] | --write [FILE] | --check [FILE]',
  about: `Bundles each of our profiles, or one, and shows the features with their bytes in each bundle. A page may keep a copy
without sizes, which is renewed or checked; where none is named it is the project's README.`,
  example: 'svc-build matrix minimal',
  options: {
    write: { type: 'boolean', summary: 'renew the copy' },
    check: { type: 'boolean', summary: 'exit with 1 where the copy is stale' },
  },
  words: [0, 1],
  run: async ({ words: [word], flag, io }) => {
    if (flag('write') || flag('check')) {
      if (flag('write') && flag('check')) throw toolFail('ERR_TOOL_USAGE', { message: 'It takes --write or --check.' })
      const file = word ?? join(root, 'README.md')
      const fresh = await keepCopy(file, flag('write'))
      const stale = flag('check') && !fresh
      if (stale) io.note(`The matrix in ${file} is stale.\n  → svc-build matrix --write ${file}`)
      return { json: { file, fresh }, code: stale ? EXIT.failed : EXIT.done }
    }
    const all = []
    for (const profile of word === undefined ? orderedProfiles() : [word]) {
      io.step(`${profile}: bundle`)
      all.push(...(await columnsOf(profile)))
    }
    for (const line of linesOf(all)) io.out(line)
    return { json: all }
  },
}
