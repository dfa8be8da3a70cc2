import type { EventEmitter } from 'node:events'

/** Resolves once an open socket or stream has closed. `once` of node:events rejects if there was an error; this does not. */
export function closed(of: EventEmitter): Promise<void> {
  of.on('error', () => undefined)
  return new Promise((resolve) => of.once('close', () => resolve()))
}
