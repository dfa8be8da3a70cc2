/** Notifies callers in this process of changes of receipts. */
import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { PushReceipt } from '../../api.ts'
import type { EngineOptions } from '../options.ts'

/** The listeners of an engine. */
export interface ReceiptChanges {
  /** Calls `listener` after each change of a push, until the returned function is called. */
  watch(pushId: string, listener: () => void): () => void
  /** Notifies of a new receipt. */
  inserted(receipt: PushReceipt): void
  /** Notifies of a change of a receipt. */
  updated(pushId: string): void
}

/** Creates the listeners. `read` returns the receipt of a push. */
export function createReceiptChanges(
  { onReceipt, log }: Pick<EngineOptions, 'onReceipt' | 'log'>,
  read: (pushId: string) => Promise<PushReceipt>,
): ReceiptChanges {
  const watchers = new Map<string, Set<() => void>>()
  const call = (pushId: string): void => {
    for (const listener of watchers.get(pushId) ?? []) listener()
  }
  const publish = (pushId: string, receipt: Awaitable<PushReceipt>, operation: 'insert' | 'update'): void => {
    Promise.resolve(receipt)
      .then((value) => onReceipt?.(value, operation))
      .catch((error: unknown) => log.log('warn', 'A change of a receipt was not told.', { pushId, error }))
  }
  return {
    watch(pushId, listener) {
      const id = pushId.toLowerCase()
      const listeners = watchers.get(id) ?? new Set()
      watchers.set(id, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(id) === listeners) watchers.delete(id)
      }
    },
    inserted(receipt) {
      call(receipt.pushId)
      if (onReceipt !== undefined) publish(receipt.pushId, receipt, 'insert')
    },
    updated(pushId) {
      call(pushId)
      if (onReceipt !== undefined) publish(pushId, read(pushId), 'update')
    },
  }
}
