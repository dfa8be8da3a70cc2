/** `make package`. */
import { isSvcError } from '../../core/errors.ts'
import { shown } from '../build/paths.ts'
import { makePackage } from './make-package.ts'

try {
  console.log(`→ ${shown(await makePackage())}`)
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}
