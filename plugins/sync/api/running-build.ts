/** The answer of `/api/v1/build`. */
import type { BuildInfo } from '../../../core/manifest.ts'

/** Which build runs. Summaries and settings are not part of it: `svc build-info` prints them. */
export function toRunningBuild(manifest: BuildInfo): Readonly<Record<string, unknown>> {
  const { name, version, profile, platform, node, commit = 'unknown', bundleSha256, features } = manifest
  const listed = features.map(({ id, variant = null }) => ({ id, variant }))
  return { name, version, profile, platform, node, commit, bundleSha256, features: listed }
}
