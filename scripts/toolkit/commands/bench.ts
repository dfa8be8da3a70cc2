/** `svc-build bench`: the benchmarks of the project. */
import { runScript } from '../run-script.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[comparison]',
  about:
    'Measures against peers, as ratios in one run. The peers are development dependencies, so it runs in a checkout.',
  example: 'svc-build bench auth',
  words: [0, 1],
  run: async ({ words, io }) => {
    const code = await runScript('scripts/bench/cli.ts', words, io)
    return { json: { done: code === 0 }, code }
  },
}
