/** A kernel with a few plugins, for servers of comparisons. */

import type { Registry } from '../../../core/declare/manifest.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import type { KernelOptions as Options } from '../../../core/kernel/compose.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import { matrix } from '../../../profiles/matrix.ts'

/** Options of {@link startKernel}. */
export interface KernelOptions extends Pick<Options, 'log'> {
  readonly plugins: readonly Plugin[]
  readonly storeParts?: Registry['storeParts']
  readonly settings: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a kernel. Its manifest, which affects no result, names no features. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const { plugins, storeParts = [], settings, environment, ...log } = options
  const kernel = createKernel(
    {
      manifest: {
        ...{ name: 'svc', version: '0.0.0', profile: 'bench', platform: 'node', node: process.version },
        ...{ features: [], plugins: [], routes: [], settings: [], bundleSha256: '' },
      },
      plugins,
      storeParts,
      absent: { settings: {}, capabilities: {} },
      open: Object.values(matrix).flatMap(({ open = [] }) => open),
    },
    { ...log, settings: { config: { name: 'bench', value: settings }, ...(environment && { environment }) } },
  )
  await kernel.start()
  return kernel
}
