/** The steps of `svc/embedded-mobile` with `svc/sign`, on bytes in memory. */
import { type EmbeddedLibrary, engineSteps, type Medium, type SignLibrary } from './embedded-engine.ts'
import type { Step } from './runner.ts'

/**
 * The steps, in their order. `sqlWasm` is `sql-wasm.wasm` in the form that the platform has: its bytes, or a compiled
 * module.
 */
export function embeddedSteps(library: EmbeddedLibrary, sign: SignLibrary, sqlWasm: unknown): Step[] {
  let saved: Uint8Array | null = null
  const medium: Medium = {
    full: false,
    options: (host) => ({
      host: {
        ...host,
        sqlWasm,
        persistence: {
          load: () => saved,
          save: async (bytes: Uint8Array) => {
            if (medium.full) throw new Error('the medium is full')
            saved = bytes
          },
        },
      },
    }),
  }
  return engineSteps(library, sign, medium)
}
