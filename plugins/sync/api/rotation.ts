/**
 * Changes the key of a node. First the change is written to the audit chain, signed with the new key; then the new key
 * replaces the old one. If the process ends in between, the next start reads from the chain which key is valid.
 */

import type { EndpointKey } from '../api.ts'
import type { ReceiptStore } from '../capabilities.ts'
import { findNextKey, makeNextKey, takeNextKey } from './endpoint-key.ts'

/**
 * Makes a new endpoint key in `dir`, the folder of the store, and returns it. No service may be running on that folder.
 */
export async function rotateKey(dir: string, store: ReceiptStore, now: () => number): Promise<EndpointKey> {
  const key = makeNextKey(dir)
  await store.write(({ audit }) => {
    if (audit === undefined) throw new Error('The store has no audit chain.')
    const atMs = now()
    const subject = key.endpointId
    audit.append({ atMs, kind: 'peer', project: null, subject, actor: 'owner', outcome: 'rotated' })
    // From here on the new key signs the chain, because this node cannot verify statements of the old key any more.
    audit.signHead(key, atMs)
  })
  takeNextKey(dir)
  return key
}

/** Finishes a change of the key that was interrupted: if the chain has the change, the new key becomes valid. */
export async function settleRotation(dir: string, store: Pick<ReceiptStore, 'read'>): Promise<void> {
  const key = findNextKey(dir)
  if (key === undefined) return
  const checkpoint = await store.read(({ audit }) => audit?.checkpoint())
  if (checkpoint?.endpointId === key.endpointId) takeNextKey(dir)
}
