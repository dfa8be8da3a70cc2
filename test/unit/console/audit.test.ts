import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBack } from '../../../plugins/console/page/lib/audit-pages.ts'
import {
  type AuditEntry,
  type Checkpoint,
  proofOfCheckpoint,
  START,
  walk,
} from '../../../plugins/console/page/views/audit/chain.ts'
import { filtered, isNarrow, NO_FILTER, valuesOf } from '../../../plugins/console/page/views/audit/filter.ts'
import {
  compareVerdict,
  hashesOf,
  hashFinding,
  overallOf,
  type ServiceVerdict,
} from '../../../plugins/console/page/views/audit/verdict.ts'
import { createAuditChain } from '../../../plugins/kbd/engine/audit/audit-chain.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'

const test = suite('audit of the console')
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Entries as the service creates them. */
function chainOf(length: number): readonly AuditEntry[] {
  const entries: AuditEntry[] = []
  const nothing = { run: () => undefined, all: () => [], get: () => undefined }
  const chain = createAuditChain({
    sha256,
    driver: {
      prepare: (text) =>
        text.startsWith('SELECT seq, hash')
          ? {
              ...nothing,
              get: () => (entries.length === 0 ? undefined : ([entries.length, entries.at(-1)!.hash] as never)),
            }
          : nothing,
    },
  })
  for (let n = 1; n <= length; n++)
    entries.push(
      chain.append({
        atMs: 1_000 + n,
        kind: n % 5 === 0 ? 'refusal' : 'command',
        project: n % 7 === 0 ? null : `p${n % 3} "é\u2028<b>`,
        subject: `s${n}`,
        actor: n % 2 === 0 ? 'owner' : `ed25519:${'a'.repeat(64)}`,
        outcome: n % 5 === 0 ? 'signer_revoked' : 'ok',
      }),
    )
  return entries
}

const changed = (entries: readonly AuditEntry[], seq: number, over: Partial<AuditEntry>): readonly AuditEntry[] =>
  entries.map((entry) => (entry.seq === seq ? { ...entry, ...over } : entry))

test('a chain of the service verifies from its start and from any entry', async () => {
  const entries = chainOf(200)
  assert.equal(await walk(entries, { from: START }), {
    breaks: [],
    count: 200,
    last: { seq: 200, hash: entries.at(-1)!.hash },
  })
  const part = await walk(entries.slice(120))
  assert.equal([part.breaks, part.count], [[], 79], 'the hash of the first entry needs the previous entry')
  assert.equal((await walk([], { from: START })).last, START)
})

test('a change of any member of an entry breaks the chain at that entry', async () => {
  const entries = chainOf(130)
  const members: Partial<AuditEntry>[] = [
    { atMs: 1 },
    { kind: 'push' },
    { project: 'other' },
    { subject: null },
    { actor: 'x' },
    { outcome: 'fine' },
    { subject: '\ud800' },
  ]
  for (const over of members)
    assert.equal((await walk(changed(entries, 77, over), { from: START })).breaks, [{ seq: 77, why: 'changed' }])
  const rehashed = await walk(changed(entries, 77, { hash: 'f'.repeat(64) }), { from: START })
  assert.equal(
    rehashed.breaks.map(({ seq }) => seq),
    [77, 78],
    'a changed hash breaks the next entry too',
  )
})

test('a missing, moved or inserted entry is found', async () => {
  const entries = chainOf(130)
  const breaksOf = async (list: readonly AuditEntry[]): Promise<unknown> => (await walk(list, { from: START })).breaks
  assert.equal(await breaksOf(entries.filter(({ seq }) => seq !== 64)), [{ seq: 65, why: 'missing' }])
  assert.equal(await breaksOf(entries.slice(1)), [{ seq: 2, why: 'missing' }])
  const doubled = [...entries.slice(0, 10), entries[9]!, ...entries.slice(10)]
  assert.equal(await breaksOf(doubled), [{ seq: 10, why: 'missing' }])
})

test('a long verification pauses regularly', async () => {
  let nowMs = 0
  let pauses = 0
  await walk(chainOf(640), {
    from: START,
    now: () => (nowMs += 7),
    pause: async () => {
      pauses++
    },
  })
  assert.is(pauses, 5, 'at every second slice of 7 ms')
})

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const endpointId = publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('hex')
const checkpointAt = (seq: number, hash: string): Checkpoint => {
  const statement = { context: 'svc-audit-checkpoint-1' as const, seq, hash, atMs: 5, endpointId }
  return { ...statement, signature: sign(null, Buffer.from(canonicalText(statement)), privateKey).toString('base64') }
}

test('a checkpoint is valid only if it is unchanged and signed by this node', () => {
  const checkpoint = checkpointAt(3, 'a'.repeat(64))
  assert.is(proofOfCheckpoint(checkpoint, endpointId), 'signed')
  assert.is(proofOfCheckpoint({ ...checkpoint, seq: 4 }, endpointId), 'forged')
  assert.is(proofOfCheckpoint({ ...checkpoint, atMs: 6 }, endpointId), 'forged')
  assert.is(proofOfCheckpoint({ ...checkpoint, signature: 'AAAA' }, endpointId), 'forged')
  assert.is(proofOfCheckpoint({ ...checkpoint, signature: '<' }, endpointId), 'forged')
  assert.is(proofOfCheckpoint(checkpoint, 'b'.repeat(64)), 'other-key')
})

test('the verdict of the service is compared with the loaded hashes', () => {
  const entries = chainOf(10)
  const head = { seq: 10, hash: entries[9]!.hash }
  const verdict: ServiceVerdict = {
    ok: true,
    count: 10,
    head,
    firstBad: null,
    checkpoint: checkpointAt(4, entries[3]!.hash),
  }
  const holds = (over: Partial<ServiceVerdict>, proof: Parameters<typeof compareVerdict>[2] = 'signed'): unknown =>
    compareVerdict({ ...verdict, ...over }, hashesOf(entries), proof).map((finding) => finding.holds)
  assert.equal(holds({}), [true, true, true])
  assert.equal(holds({ ok: false, firstBad: 2 }), [false, true, true])
  assert.equal(holds({ head: { seq: 10, hash: 'x' } }), [true, false, true])
  assert.equal(holds({ head: { seq: 11, hash: 'x' } }), [true, undefined, true])
  assert.equal(holds({ checkpoint: checkpointAt(4, 'x') }), [true, true, false])
  assert.equal(holds({ checkpoint: null }, undefined), [true, true, undefined])
  assert.equal(holds({}, 'forged'), [true, true, false])
  assert.equal(holds({}, 'other-key'), [true, true, false])
  const [unnamed] = compareVerdict({ ...verdict, ok: false }, hashesOf(entries), 'signed')
  assert.equal(unnamed, { holds: false, text: 'The service found an entry changed or missing.' })
})

test('the overall result is broken if one finding is, and verified only from the first entry on', () => {
  const good = hashFinding([], 10, true)
  const bad = hashFinding(
    [
      { seq: 9, why: 'changed' },
      { seq: 4, why: 'missing' },
    ],
    10,
    true,
  )
  assert.equal(bad, { holds: false, text: 'Entries before 4 are missing, and 1 more.', seq: 4 })
  assert.is(overallOf([good], true, false), 'verified')
  assert.is(overallOf([good], false, false), 'partly')
  assert.is(overallOf([good], true, true), 'checking')
  assert.is(overallOf([good, bad], true, true), 'broken')
})

test('filters select entries by member and by words', () => {
  const entries = chainOf(70)
  const seqs = (over: Partial<typeof NO_FILTER>): readonly number[] =>
    filtered(entries, { ...NO_FILTER, ...over }).map(({ seq }) => seq)
  assert.is(filtered(entries, NO_FILTER), entries)
  assert.not.ok(isNarrow({ ...NO_FILTER, search: '  ' }))
  assert.is(seqs({ outcome: 'refused' }).length, 14)
  assert.equal(seqs({ kind: 'refusal', actor: 'owner' }), [10, 20, 30, 40, 50, 60, 70])
  assert.equal(seqs({ search: 'S12 COMMAND' }), [12])
  assert.equal(seqs({ search: entries[4]!.hash.slice(0, 20) }), [5])
  assert.is(valuesOf(entries, 'project').length, 3)
  assert.equal(valuesOf(entries, 'actor', 1).length, 1)
})

test('the end of the chain is read backwards in pages of 1 000 until there are enough entries', async () => {
  const all = Array.from({ length: 5_000 }, (_, index) => ({ seq: index + 1 }))
  const rare = all.filter(({ seq }) => seq % 900 === 0)
  const reads: number[] = []
  const readerOf = (list: readonly { seq: number }[]) => async (after: number, limit: number) => {
    assert.ok(limit <= 1_000)
    reads.push(after)
    return list.filter(({ seq }) => seq > after).slice(0, limit)
  }
  const newest = await readBack(readerOf(all), 5_000, 1_000)
  assert.equal([newest.after, newest.entries.length, newest.entries.at(-1)!.seq], [4_000, 1_000, 5_000])
  assert.equal(reads, [4_000])
  const page = await readBack(readerOf(rare), 5_000, 3)
  assert.equal(
    page.entries.map(({ seq }) => seq),
    [2_700, 3_600, 4_500],
  )
  const whole = await readBack(readerOf(rare), 5_000, 100)
  assert.equal([whole.after, whole.entries.length], [0, 5])
  assert.equal(await readBack(readerOf([]), 0, 10), { entries: [], after: 0 })
})

test.run()
