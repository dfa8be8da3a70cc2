/** The manifest and the open paths of the kernels in benchmarks. They do not affect the results. */
import type { Manifest } from '../../core/manifest.ts'
import { matrix } from '../../profiles/matrix.ts'

/** A manifest without features. */
export const benchManifest: Manifest = {
  name: 'svc',
  version: '0.0.0',
  profile: 'bench',
  platform: 'node',
  features: [],
  plugins: [],
  routes: [],
  settings: [],
  node: process.version,
  bundleSha256: '',
}

/** The open paths of the matrix. */
export const openPaths: readonly string[] = Object.values(matrix).flatMap(({ open = [] }) => open)
