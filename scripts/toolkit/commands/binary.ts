/** `svc-build binary`: makes the single executable of a profile. */
import { makeBinary } from '../../binary/make-binary.ts'
import { shown, workDir } from '../../build/paths.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>…',
  about: `Builds and proves each profile, and makes one executable file of its program: Node, the bundle, the native addons.
It needs nothing else on the machine.`,
  example: 'svc-build binary minimal   # dist/minimal/svc',
  words: [1, 64],
  run: async ({ words, io }) => {
    const results = []
    for (const profile of words) {
      io.step(`${profile}: binary`)
      const { file, bytes, blobSha256, binaries } = await makeBinary(profile)
      for (const { shown: binary } of binaries) io.out(`  ${binary.name}: ${binary.note ?? binary.sha256}`)
      io.out(`  blob ${blobSha256}`)
      io.out(`→ ${shown(file, workDir)} (${(bytes / 2 ** 20).toFixed(1)} MiB)`)
      results.push({ file, bytes, blobSha256, binaries: binaries.map(({ shown: one }) => one) })
    }
    return { json: results }
  },
}
