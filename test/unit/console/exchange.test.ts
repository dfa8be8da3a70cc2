import { generateKeyPairSync, sign } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { proofOf, proofsOf } from '../../../plugins/console/page/views/exchange/acknowledgements.ts'
import type { PeerRecord, Receipt } from '../../../plugins/console/page/views/exchange/shapes.ts'
import {
  eventInWords,
  eventTone,
  faultInWords,
  isSettled,
  peerState,
  receiptState,
} from '../../../plugins/console/page/views/exchange/words.ts'
import { acknowledgedText } from '../../../plugins/protocol/acknowledgement.ts'

const test = suite('pushes and peers of the console')
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const peer = publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('hex')
const push = { pushId: '0b0e1c3a-0000-4000-8000-000000000001', canonicalPayloadHash: 'c'.repeat(64) }

function recordOf(over: Partial<PeerRecord> = {}): PeerRecord {
  const members = { state: 'applied' as const, failure: null, appliedFrontier: { heads: ['d'.repeat(64)] } }
  const auditHead = 'e'.repeat(64)
  const text = acknowledgedText({ context: 'svc-peer-ack-1', ...push, endpointId: peer, ...members, auditHead })
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64')
  const ack = { signerKeyId: `ed25519:${peer}`, auditHead, signature }
  return { ...members, receivedAtMs: 1, appliedAtMs: 2, rejectedAtMs: null, updatedAtMs: 2, ack, ...over }
}

test('an acknowledgement is rebuilt from the receipt, and its signature is verified', async () => {
  assert.is(await proofOf(push, peer, recordOf()), 'signed')
  assert.is(await proofOf(push, peer, recordOf({ ack: null })), 'unsigned')
})

test('any change of an acknowledgement makes it contradicted', async () => {
  const failure = { code: 'x', message: 'y', retryable: false }
  const { ack } = recordOf()
  const wrong: Partial<PeerRecord>[] = [
    { state: 'received' },
    { state: 'rejected', failure },
    { appliedFrontier: null },
    { appliedFrontier: { heads: [] } },
    { ack: { ...ack!, auditHead: null } },
    { ack: { ...ack!, signature: 'A'.repeat(86) + '==' } },
    { ack: { ...ack!, signature: '<img src=x>' } },
    { ack: { ...ack!, signerKeyId: `ed25519:${'f'.repeat(64)}` } },
    { failure: { ...failure, message: '\ud800' } },
  ]
  for (const over of wrong) assert.is(await proofOf(push, peer, recordOf(over)), 'contradicted', JSON.stringify(over))
  assert.is(await proofOf({ ...push, pushId: 'other' }, peer, recordOf()), 'contradicted')
  assert.is(await proofOf({ ...push, canonicalPayloadHash: '0'.repeat(64) }, peer, recordOf()), 'contradicted')
  assert.is(await proofOf(push, 'a'.repeat(64), recordOf()), 'contradicted', 'another peer')
  const receipt = { ...push, perPeer: { [peer]: recordOf(), other: recordOf() } } as unknown as Receipt
  assert.equal(
    [...(await proofsOf(receipt))],
    [
      [peer, 'signed'],
      ['other', 'contradicted'],
    ],
  )
})

test('the state of a receipt is described in words', () => {
  const stateOf = (localState: Receipt['localState'], ...states: (PeerRecord['state'] | undefined)[]): string => {
    const targets = states.map((_, index) => `p${index}`)
    const perPeer = Object.fromEntries(
      states.flatMap((state, index) => (state === undefined ? [] : [[`p${index}`, recordOf({ state })]])),
    )
    return `${receiptState({ localState, targets, perPeer }).text}${isSettled({ localState, targets, perPeer }) ? '.' : ''}`
  }
  assert.is(stateOf('accepted'), 'accepted')
  assert.is(stateOf('applied_locally'), 'applied here.')
  assert.is(stateOf('broadcast', 'applied', undefined), '1 of 2 peers')
  assert.is(stateOf('broadcast', 'applied', 'received'), '1 of 2 peers')
  assert.is(stateOf('broadcast', 'applied', 'applied'), 'applied by 2 peers.')
  assert.is(stateOf('broadcast', 'rejected', 'applied'), 'rejected by 1 peer.')
  assert.is(stateOf('failed', undefined), 'failed.')
})

test('unknown codes are shown as they are', () => {
  assert.is(faultInWords('constructor').what, 'The exchange failed with constructor.')
  assert.match(faultInWords('wrong_key').what, /Another node answers/)
  assert.is(eventInWords({ kind: 'peer_applied' }), 'Applied')
  assert.is(eventInWords({ kind: 'peer_asleep' }), 'peer asleep')
  assert.is(eventTone({ kind: 'peer_delivery_failed' }), 'warn')
  assert.is(peerState('refused', null).tone, 'bad')
  assert.is(peerState('never', null).text, 'never seen')
  assert.is(peerState('never', 1).text, 'not met since the restart')
})

test.run()
