/** `make package`: writes the npm packages of the service and of the toolkit. */
import { isSvcError } from '../../core/errors.ts'
import { shown } from '../build/paths.ts'
import { makePackage } from './make-package.ts'
import { makeToolkit } from './make-toolkit.ts'

try {
  console.log(`→ ${shown(await makePackage())}`)
  console.log(`→ ${shown(await makeToolkit())}`)
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}
