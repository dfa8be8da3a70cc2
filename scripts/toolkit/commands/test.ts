/** `svc-build test`: builds a profile, and runs its contracts on every form of it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBinary } from '../../binary/make-binary.ts'
import { distDir, EXECUTABLE, workDir } from '../../build/paths.ts'
import { loadProfile } from '../../build/plan/load-profile.ts'
import { deliver } from '../deliver.ts'
import { runScript } from '../run-script.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `Builds a profile and runs the contract of every feature there is on what was built: the present side of those it
has, the absent side of those it lacks; on the sources, the library, the program on each transport, and the executable
where svc-build binary has made it.`,
  example: 'svc-build test edge.ts',
  words: [1, 1],
  run: async ({ words, io }) => {
    const { name } = await loadProfile(words[0]!)
    // A build removes an existing executable, so the executable is built again from the same sources.
    if (existsSync(join(distDir(name), EXECUTABLE))) await makeBinary(words[0]!)
    else await deliver(words[0]!, io)
    const { code } = await runScript('test/conformance/one.ts', [words[0]!], io)
    const counts = join(workDir, '.build/conformance', `${name}.json`)
    return { json: { profile: name, forms: JSON.parse(readFileSync(counts, 'utf8')) as unknown }, code }
  },
}
