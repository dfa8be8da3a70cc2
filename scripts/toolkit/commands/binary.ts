/** `svc-build binary`: builds the single executable of a profile. */
import { makeBinaryFor } from '../../binary/cross/make-cross.ts'
import { makeBinary } from '../../binary/make-binary.ts'
import type { Built } from '../../build/build.ts'
import { asksForPlace } from '../../build/generate/program-file.ts'
import { shown, workDir } from '../../build/paths.ts'
import { assetFiles } from '../../build/plan/target-plan.ts'
import { beginBuild, recordBuild } from '../../build/record/record.ts'
import { toldOf } from '../build-shown.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>…',
  about: `Builds and proves each profile, and makes one executable file of its program: Node, the bundle, the native addons.
It needs nothing else on the machine. With --target it is made for another platform, of the pinned packages of that platform, which
npm downloads: dist/executables/svc-<profile>-<version>-<target>, with its bill of materials and a line in SHA256SUMS.`,
  example: `svc-build binary minimal   # dist/minimal/svc
svc-build binary minimal --target linux-arm64`,
  options: {
    target: {
      type: 'string',
      value: 'PLATFORM',
      summary: 'linux-arm64, darwin-arm64, darwin-x64, win-x64 or linux-x64',
    },
  },
  words: [1, 64],
  run: async ({ words, value, io }) => {
    const target = value('target')
    const results = []
    for (const profile of words) {
      io.step(`${profile}: binary`)
      const begun = beginBuild()
      const { file, bytes, blobSha256, binaries, built } = await (target === undefined
        ? makeBinary(profile)
        : makeBinaryFor(profile, target))
      // The folder has the executable now, and a build of the same sources keeps it.
      await recordBuild(profile, begun, built, toldOf(built))
      for (const { shown: binary } of binaries) io.out(`  ${binary.name}: ${binary.note ?? binary.sha256}`)
      for (const name of filesBeside(built))
        io.out(`  ${name}: the program reads it in the folder of the executable, which does not contain it`)
      io.out(`  blob ${blobSha256}`)
      io.out(`→ ${shown(file, workDir)} (${(bytes / 2 ** 20).toFixed(1)} MiB)`)
      results.push({ file, bytes, blobSha256, binaries: binaries.map(({ shown: one }) => one) })
    }
    return { json: results }
  },
}

/** The names of the files that a program may read beside itself. */
function filesBeside({ bundles }: Pick<Built, 'bundles'>): string[] {
  const program = bundles.find(({ target: { form } }) => form === 'main')
  return program !== undefined && asksForPlace(program.text) ? Object.keys(assetFiles(program.target)) : []
}
