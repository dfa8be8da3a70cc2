import type { EventEmitter } from 'node:events'

/**
 * Resolves once an open socket or stream has closed. `once` of node:events rejects after an error; this function does
 * not.
 */
export function closed(emitter: EventEmitter): Promise<void> {
  emitter.on('error', () => undefined)
  return new Promise((resolve) => emitter.once('close', () => resolve()))
}
