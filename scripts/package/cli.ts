/**
 * `make package`: writes the npm packages of the service and of the toolkit, side by side, and shows each step with its
 * time.
 */
import { isSvcError } from '../../core/declare/errors.ts'
import { shown } from '../build/paths.ts'
import { createProgress } from '../progress.ts'
import { makePackage } from './make-package.ts'
import { makeToolkit } from './make-toolkit.ts'

const progress = createProgress('package')
const notes: string[] = []
try {
  const tarballs = await progress.step('all', () =>
    Promise.all([makePackage(progress, (line) => notes.push(line)), makeToolkit(progress)]),
  )
  progress.end()
  for (const line of notes) console.error(line)
  for (const tarball of tarballs) console.log(`→ ${shown(tarball)}`)
} catch (error) {
  progress.end()
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}
