/**
 * fast-check with a time limit for each property, a little below that of a test: a property that waits for ever, or that shrinks for minutes,
 * then fails with its seed and the smallest case so far. The prelude loads this module in place of fast-check.
 */
import fc from 'fast-check'
import { limitMs } from './limited-uvu.ts'

fc.configureGlobal({ interruptAfterTimeLimit: 0.8 * limitMs, markInterruptAsFailure: true })

export * from 'fast-check'
export default fc
