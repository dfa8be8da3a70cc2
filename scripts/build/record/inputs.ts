/** The inputs of a finished build: the toolkit, the packages, the files of the user, and the places where another file would be found instead. */
import { dirname, join } from 'node:path'
import type { Bundle } from '../bundle/bundle.ts'
import { filesOfUsers } from '../modules/read-module.ts'
import { fileOfInput, packagesAt, root } from '../paths.ts'
import type { Plan } from '../plan/target-plan.ts'
import { assetsOf } from '../prove/attribute.ts'
import { installedFor } from '../prove/packages/packages.ts'
import { type Inputs, inputsAt } from './inputs-now.ts'

/** The inputs of a finished build. */
export function inputsOf(plan: Plan, bundles: readonly Bundle[]): Inputs {
  const files = new Set([...plan.profile.files, ...filesOfUsers])
  for (const { target, metafile } of bundles) {
    for (const input in metafile.inputs) {
      const file = fileOfInput(input)
      if (file !== undefined) files.add(file)
    }
    for (const { input } of assetsOf(plan, target)) files.add(input)
  }
  const isUsers = (file: string): boolean => !file.startsWith(`${root}/`) && packagesAt(file) < 0
  const users = [...files].filter(isUsers)
  const packages = new Set(bundles.flatMap(installedFor).map(({ from }) => from))
  for (const file of files) if (packagesAt(file) >= 0 && !file.startsWith(`${root}/`)) packages.add(packageOf(file))
  const around = new Set(users.map((file) => dirname(file)))
  const above = new Set([...around].flatMap(ancestors))
  return inputsAt({
    packages: [...packages],
    files: [...users, ...[...above].map((folder) => join(folder, 'package.json'))],
    folders: [...around, ...[...above].map((folder) => join(folder, 'node_modules'))],
  })
}

function packageOf(file: string): string {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? dirname(file)
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}
