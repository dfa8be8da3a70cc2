import type { AnswerTime } from './answer-time.ts'
import type { RunStore } from './api.ts'
import { tryAgain } from './errors.ts'

/** Resolves once this node has seen everything that was appended before the call. @throws SvcError `overloaded` */
export async function catchUp(store: RunStore, time?: AnswerTime): Promise<void> {
  try {
    await (time === undefined ? store.current() : time.wait(() => store.current()))
  } catch (cause) {
    throw tryAgain(cause)
  }
}
