/** Conformance of profile `embedded-native`. */
import { conformance } from './suite.ts'

await conformance('embedded-native')
