/** `make binary PROFILE=p`. */
import { isSvcError } from '../../core/errors.ts'
import { shown } from '../build/paths.ts'
import { makeBinary } from './make-binary.ts'

const [profile] = process.argv.slice(2)

if (profile === undefined) {
  console.error('usage: binary <profile | path/to/profile.ts>')
  process.exit(64)
}
try {
  const { file, bytes, blobSha256, binaries } = await makeBinary(profile)
  for (const { shown: binary } of binaries) console.log(`  ${binary.name}: ${binary.note ?? binary.sha256}`)
  console.log(`  blob ${blobSha256}`)
  console.log(`→ ${shown(file)} (${(bytes / 2 ** 20).toFixed(1)} MiB)`)
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}
