/** `svc-build bench`: the benchmarks of the project. */
import { runScript } from '../run-script.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[comparison]',
  about: `Measures against peers, as ratios in one run, and exits with 1 where a bar is missed. Without a name it runs all that
there are here: an installed copy has those that need no peer but esbuild, a checkout of the project all of them.`,
  example: 'svc-build bench dev',
  words: [0, 1],
  run: async ({ words, io }) => {
    const { code, said } = await runScript('scripts/bench/cli.ts', words, io)
    const bars = said.split('\n').filter((line) => / (?:kept|MISSED)$/.test(line))
    return { json: { comparison: words[0] ?? null, kept: code === 0, bars, said: said.split('\n') }, code }
  },
}
