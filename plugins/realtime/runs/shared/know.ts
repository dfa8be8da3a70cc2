import type { RunStore } from '../../api.ts'
import { tryAgain } from './errors.ts'

/** Resolves once all is known that was appended before the call. @throws SvcError `overloaded` */
export async function know(store: RunStore): Promise<void> {
  try {
    await store.current()
  } catch (cause) {
    throw tryAgain(cause)
  }
}
