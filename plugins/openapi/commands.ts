/** `svc --mode openapi`. */
import type { Command } from '../../core/declare/command.ts'

/** Prints the contract; `--mode openapi` runs it. */
export const commands: readonly Command[] = [
  {
    name: 'openapi',
    summary: 'print the OpenAPI 3.1 contract of both surfaces',
    help: 'Usage: svc openapi\n       svc --mode openapi\n\nPrints the contract that /openapi.json serves.',
    run: async (_args, io) => {
      const { openApiText } = await import('./document.ts')
      io.out(openApiText.trimEnd())
      return 0
    },
  },
]
