/** Verifies the whole chain from the first entry on, without keeping its entries in memory. */
import { MAX_PAGE } from '../../lib/audit-pages.ts'
import { local } from '../../lib/service.ts'
import { type AuditHead, type Break, type Checkpoint, proofOfCheckpoint, START, walk } from './chain.ts'
import { readAudit } from './ledger.ts'
import { compareVerdict, type Finding, hashFinding, type ServiceVerdict } from './verdict.ts'

/** The progress of a walk. */
export interface Progress {
  readonly done: number
  readonly of: number
}

/** The result of a walk over the whole chain. */
export interface WholeWalk {
  readonly findings: readonly Finding[]
  readonly breaks: readonly Break[]
  readonly count: number
  readonly atMs: number
}

/** Reads and hashes the chain page by page, and compares it with the result and the checkpoint of the service. */
export async function walkWhole(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<WholeWalk> {
  const verdict = await readVerdict(signal)
  const { checkpoint } = verdict.body
  const needed = new Map<number, string>()
  const breaks: Break[] = []
  let last: AuditHead = START
  for (;;) {
    const { entries, head } = await readAudit(last.seq, MAX_PAGE, signal)
    const walked = await walk(entries, { from: last })
    breaks.push(...walked.breaks)
    for (const { seq, hash } of entries)
      if (seq === checkpoint?.seq || seq === verdict.body.head.seq) needed.set(seq, hash)
    last = walked.last ?? last
    onProgress({ done: last.seq, of: head.seq })
    if (entries.length < MAX_PAGE) break
  }
  const findings = [
    hashFinding(breaks, last.seq, true),
    ...compareVerdict(verdict.body, (seq) => needed.get(seq), verdict.proof),
  ]
  return { findings, breaks, count: last.seq, atMs: Date.now() }
}

/** Reads the verification by the service, and checks whether its checkpoint is signed by the key of this node. */
export async function readVerdict(
  signal: AbortSignal,
): Promise<{ readonly body: ServiceVerdict; readonly proof: ReturnType<typeof proofOfCheckpoint> | undefined }> {
  const body = await local<ServiceVerdict>('/api/v1/audit/verify', { signal })
  const { endpointId } = await local<{ endpointId: string }>('/api/v1/status', { signal })
  const checkpoint: Checkpoint | null = body.checkpoint
  return { body, proof: checkpoint === null ? undefined : proofOfCheckpoint(checkpoint, endpointId) }
}
