/** Conformance of profile `minimal`. */
import { conformance } from './suite.ts'

await conformance('minimal')
