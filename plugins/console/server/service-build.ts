/** The build of the running service: from its Unix socket, or else from its metrics. */

import type { Manifest } from '../../../core/declare/manifest.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { FeatureOfBuild, ServiceBuild } from '../session.ts'
import { textFrom } from './proxy.ts'
import type { Surfaces } from './surfaces.ts'

/** Reads the build. `manifest` is that of the program of the console. Resolves to null if the service does not say. */
export async function readServiceBuild({ runtime, local }: Surfaces, manifest: Manifest): Promise<ServiceBuild | null> {
  const text = local === undefined ? undefined : await textFrom(local, '/api/v1/build')
  const told = text === undefined ? undefined : fromRoute(text, manifest)
  if (told !== undefined) return told
  const scrape = 'origin' in runtime ? await textFrom(runtime, '/metrics') : undefined
  return (scrape === undefined ? undefined : fromMetrics(scrape)) ?? null
}

function fromRoute(text: string, { bundleSha256, features: ownFeatures }: Manifest): ServiceBuild | undefined {
  const build = parsed(text)
  if (!isObject(build)) return undefined
  const { version, profile, commit, features } = build
  if (typeof version !== 'string' || typeof profile !== 'string' || !Array.isArray(features)) return undefined
  const featuresById = new Map(ownFeatures.map((feature) => [feature.id, feature]))
  return {
    version,
    profile,
    commit: typeof commit === 'string' ? commit : 'unknown',
    isSame: build['bundleSha256'] === bundleSha256,
    features: features.filter(isFeature).map(({ id, variant }): FeatureOfBuild => {
      const { stability = null, summary = null } = featuresById.get(id) ?? {}
      return { id, ...(typeof variant === 'string' && { variant }), stability, summary }
    }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFeature(value: unknown): value is { readonly id: string; readonly variant?: unknown } {
  return isObject(value) && typeof value['id'] === 'string'
}

/** The labels of `svc_build_info`. */
function fromMetrics(scrape: string): ServiceBuild | undefined {
  const [, labels = ''] = /^svc_build_info\{([^}]*)\} /m.exec(scrape) ?? []
  const labelOf = (label: string): string | undefined => new RegExp(`(?:^|,)${label}="([^"\\\\]*)"`).exec(labels)?.[1]
  const [version, profile] = [labelOf('version'), labelOf('profile')]
  if (version === undefined || profile === undefined) return undefined
  return { version, profile, commit: labelOf('commit') ?? 'unknown', isSame: null, features: null }
}
