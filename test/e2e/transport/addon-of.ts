/** Addons of uWebSockets.js as a user provides them. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addonFileAt } from '../../../plugins/transport/uws/find-addon.ts'
import { folderWith } from '../../support/folder.ts'

/** Copies the real addon into a new package with this name and version, and returns the path of the file. */
export function addonOf(name: string, version: string): string {
  const folder = join(folderWith(), 'package')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }))
  const file = join(folder, 'uws.node')
  copyFileSync(addonFileAt(dirname(dirname(fileURLToPath(import.meta.resolve('uWebSockets.js'))))), file)
  return file
}
