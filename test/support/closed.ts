import type { EventEmitter } from 'node:events'

/** Resolves once a socket or a stream has closed, with an error or without one, on which `once` of node:events would reject. */
export function closed(of: EventEmitter): Promise<void> {
  of.on('error', () => undefined)
  return new Promise((resolve) => of.once('close', () => resolve()))
}
