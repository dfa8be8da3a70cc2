/** `svc-build matrix`: the features and the profiles that have them. */
import { runScript } from '../run-script.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[profile] [--write | --check]',
  about: 'Bundles each of our profiles, or one, and shows the features with their bytes in each.',
  example: 'svc-build matrix',
  options: {
    write: { type: 'boolean', summary: "renew the copy in the project's README" },
    check: { type: 'boolean', summary: 'fail where that copy is stale' },
  },
  words: [0, 1],
  run: async ({ words, flag, io }) => {
    const mode = flag('write') ? ['--write'] : flag('check') ? ['--check'] : words
    const code = await runScript('scripts/matrix.ts', mode, io)
    return { json: { done: code === 0 }, code }
  },
}
