/** Puts the code of worker threads into a bundle, which has no files beside it for them to start from. */
import { build, type Plugin } from 'esbuild'

/** `x-worker-source.ts` says where the code of `x-worker.ts` is; in a bundle it is that file's own bundle, as a text. */
const SOURCE_SUFFIX = '-source.ts'

/** The esbuild plugin that does it, for every module named `*-worker-source.ts`. */
export const workerText: Plugin = {
  name: 'worker-text',
  setup(context) {
    context.onLoad({ filter: /-worker-source\.ts$/ }, async ({ path }) => {
      const { minify, charset, legalComments, target, mainFields } = context.initialOptions
      const result = await build({
        entryPoints: [path.replace(SOURCE_SUFFIX, '.ts')],
        bundle: true,
        // A thread that starts from a text runs it as a script.
        format: 'cjs',
        platform: 'node',
        ...(minify === undefined ? {} : { minify }),
        ...(charset === undefined ? {} : { charset }),
        ...(legalComments === undefined ? {} : { legalComments }),
        ...(target === undefined ? {} : { target }),
        ...(mainFields === undefined ? {} : { mainFields }),
        write: false,
        metafile: true,
        logLevel: 'silent',
      })
      const watchFiles = Object.keys(result.metafile.inputs)
      return { contents: `export const workerSource = ${JSON.stringify(result.outputFiles[0]!.text)}`, watchFiles }
    })
  },
}
