/** Profile `server-full` without durable runs, to compare with runs in memory of `server-full`. */
import { profile as full } from '../../../profiles/server-full.ts'

/** Profile `bench-memory-alone`. */
export const profile: object = {
  name: 'bench-memory-alone',
  summary: 'server-full with runs in memory alone',
  extends: full.name,
  library: {},
  main: { features: { 'realtime.runs-sqlite': false } },
}
