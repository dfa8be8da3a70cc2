/** Conformance of profile `embedded-mobile`. */
import { conformance } from './suite.ts'

await conformance('embedded-mobile')
