/** The bill of materials of a build's folder. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from '../../build/paths.ts'
import type { Dist } from '../open-dist.ts'
import { type Carried, type Sbom, sbomOf } from './sbom.ts'

/** The bill of all files of a build, or of one of its bundles. */
export function sbomOfDist({ folder, account }: Pick<Dist, 'folder' | 'account'>, file?: string): Sbom {
  const executable = account.bundles.some((one) => one.file === EXECUTABLE) && (file ?? EXECUTABLE) === EXECUTABLE
  return sbomOf(account, file, executable ? carriedBy(folder) : {})
}

/** The other contents of the executable, from its manifest. */
function carriedBy(folder: string): Carried {
  const manifests = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    svc?: { runtime: { node: string; sha256: string }; binaries: { name: string; sha256: string | null }[] }
  }
  const { runtime, binaries = [] } = manifests.svc ?? {}
  return { ...(runtime && { node: { version: runtime.node, sha256: runtime.sha256 } }), binaries }
}
