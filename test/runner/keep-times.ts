/** `make test-times`: copies the times of the last runs of all files on this machine to the committed file. */
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, workDir } from '../../scripts/build/paths.ts'
import { readTimes, toText } from './order.ts'

/** Files that take less time, in seconds, are left out: at the end of a run their order matters little. */
const LEAST_S = 3

const known = readTimes(join(workDir, '.build', 'test-times.json'))
const files = globSync('test/**/*.test.ts', { cwd: root }).sort()
const kept = files.flatMap((file) => {
  const time = known[file]
  return time !== undefined && time.seconds >= LEAST_S ? [[file, time] as const] : []
})
writeFileSync(join(import.meta.dirname, 'times.json'), toText(Object.fromEntries(kept)))
console.log(`test/runner/times.json: ${kept.length} files of ${LEAST_S} s and more`)
