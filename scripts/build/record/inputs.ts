/**
 * The inputs of a finished build: the toolkit, the packages, the files of the user, and the places where another file
 * would be found instead.
 */
import { dirname, join } from 'node:path'
import type { Bundle } from '../bundle/bundle.ts'
import { filesOfUsers } from '../modules/read-module.ts'
import { fileOfInput, root } from '../paths.ts'
import type { Plan } from '../plan/target-plan.ts'
import { assetsOf, isGenerated } from '../prove/attribute.ts'
import { packageOf } from '../prove/packages/identity.ts'
import { installedFor } from '../prove/packages/packages.ts'
import { NO_COMMIT } from '../stamp.ts'
import { type Inputs, inputsAt } from './inputs-now.ts'

/** The inputs of a finished build. */
export function inputsOf(plan: Plan, bundles: readonly Bundle[]): Inputs {
  const files = new Set([...plan.profile.files, ...filesOfUsers])
  for (const { target, metafile } of bundles) {
    for (const input in metafile.inputs) {
      // The build writes these itself: in a new folder they are younger than its beginning, as what somebody edits
      // meanwhile.
      if (isGenerated(input)) continue
      const file = fileOfInput(input)
      if (file !== undefined) files.add(file)
    }
    for (const { input } of assetsOf(plan, target)) files.add(input)
  }
  const { base } = plan.profile
  const packages = new Set(bundles.flatMap((one) => installedFor(one, base)).map(({ from }) => from))
  const users: string[] = []
  for (const file of files) {
    const from = packageOf(file, base)
    if (from !== undefined) packages.add(from.folder)
    else if (!file.startsWith(`${root}/`)) users.push(file)
  }
  const around = new Set(users.map((file) => dirname(file)))
  const above = new Set([...around].flatMap(ancestors))
  const places = {
    packages: [...packages],
    files: [...users, ...[...above].map((folder) => join(folder, 'package.json'))],
    folders: [...around, ...[...above].map((folder) => join(folder, 'node_modules'))],
  }
  // The commit may have changed since it was written into the bundles.
  return inputsAt(places, bundles[0]!.target.manifest.commit ?? NO_COMMIT)
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}
