/** Conformance of profile `server-cluster`. */
import { conformance } from './suite.ts'

await conformance('server-cluster')
