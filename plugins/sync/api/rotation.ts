/**
 * A new key for a node. The audit chain says so first, signed with the new key; then the new key takes the place of the old
 * one. Whatever breaks off in between, the chain alone decides which of the two it is, at the next start.
 */

import { canonicalText } from '../../protocol/canonical.ts'
import { toBase64 } from '../../protocol/codecs.ts'
import type { EndpointKey } from '../api.ts'
import type { ReceiptStore } from '../capabilities.ts'
import { toCheckpointStatement } from '../engine/audit/audit-chain.ts'
import { findNextKey, makeNextKey, takeNextKey } from './endpoint-key.ts'

/** Makes a new endpoint key in `dir`, where the store lies too, and gives it. No service may run on them. */
export async function rotateKey(dir: string, store: ReceiptStore, now: () => number): Promise<EndpointKey> {
  const key = makeNextKey(dir)
  await store.write(({ audit, rows }) => {
    const atMs = now()
    const subject = key.endpointId
    audit!.append({ atMs, kind: 'peer', project: null, subject, actor: 'owner', outcome: 'rotated' })
    // The new key vouches for the chain from here on: statements of the old one can be checked by nobody here.
    const head = audit!.head()
    const statement = toCheckpointStatement(head, atMs, subject)
    const signature = toBase64(key.sign(new TextEncoder().encode(canonicalText(statement))))
    rows('INSERT INTO audit_checkpoints VALUES (?, ?, ?, ?, ?)', head.seq, head.hash, atMs, subject, signature)
  })
  takeNextKey(dir)
  return key
}

/** Ends a change of the key that broke off: it is done where the chain says so, else the key that was to come is none. */
export async function settleRotation(dir: string, store: Pick<ReceiptStore, 'read'>): Promise<void> {
  const key = findNextKey(dir)
  if (key === undefined) return
  const [last] = await store.read(({ rows }) =>
    rows<[endpointId: string]>('SELECT endpoint_id FROM audit_checkpoints ORDER BY seq DESC LIMIT 1'),
  )
  if (last?.[0] === key.endpointId) takeNextKey(dir)
}
