/**
 * fast-check with a time limit for each property, a little below the limit of a test. A property that hangs, or that
 * shrinks for minutes, then fails with its seed and the smallest failing case so far. The prelude loads this module in
 * place of fast-check.
 */
import fc from 'fast-check'
import { limitMs } from './limit.ts'

fc.configureGlobal({ interruptAfterTimeLimit: 0.8 * limitMs, markInterruptAsFailure: true })

export * from 'fast-check'
export default fc
