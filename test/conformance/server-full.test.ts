/** Conformance of profile `server-full`. */
import { conformance } from './suite.ts'

await conformance('server-full')
