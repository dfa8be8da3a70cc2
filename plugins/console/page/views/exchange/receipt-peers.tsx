/** The state that each peer of a push has confirmed, and whether the peer signed it. */
import type { JSX } from 'preact'
import { visible } from '../../lib/format.ts'
import { Ago, Badge, Clamped, Empty, Id, Panel, type Tone } from '../../parts/parts.tsx'
import type { AcknowledgementProof } from './acknowledgements.ts'
import type { PeerRecord, Receipt } from './shapes.ts'

const TONES: Readonly<Record<PeerRecord['state'], Tone>> = { received: 'accent', applied: 'ok', rejected: 'bad' }

const PROOFS: Readonly<
  Record<AcknowledgementProof, { readonly tone: Tone; readonly text: string; readonly why: string }>
> = {
  signed: {
    tone: 'ok',
    text: 'signature verified',
    why: 'This page verified that the key of the peer signed exactly what is shown here.',
  },
  contradicted: {
    tone: 'bad',
    text: 'not verified',
    why: 'The signature does not match the receipt. This also happens if the receipt has shortened a long reason.',
  },
  unsigned: {
    tone: 'plain',
    text: 'no signature',
    why: 'The host of this node recorded this state. No peer signed it.',
  },
}

/** Lists the peers of a receipt. */
export function ReceiptPeers({
  of: { targets, perPeer },
  proofs,
  labels,
}: {
  readonly of: Receipt
  readonly proofs: ReadonlyMap<string, AcknowledgementProof>
  readonly labels: ReadonlyMap<string, string | null>
}): JSX.Element {
  const ids = [...new Set([...targets, ...Object.keys(perPeer)])]
  return (
    <Panel title="Peers">
      {ids.length === 0 && (
        <Empty title="No target" command="svc push --key me.key --domain kbd-control:demo --target <peer>">
          This push was applied on this node only.
        </Empty>
      )}
      <ul class="receipt-peers">
        {ids.map((id) => (
          <PeerOfReceipt key={id} id={id} record={perPeer[id]} proof={proofs.get(id)} label={labels.get(id)} />
        ))}
      </ul>
    </Panel>
  )
}

function PeerOfReceipt({
  id,
  record,
  proof,
  label,
}: {
  readonly id: string
  readonly record: PeerRecord | undefined
  readonly proof: AcknowledgementProof | undefined
  readonly label: string | null | undefined
}): JSX.Element {
  return (
    <li>
      <div class="receipt-peer-head">
        <strong>{label == null ? <Id id={id} /> : <Clamped text={label} />}</strong>
        {label != null && <Id id={id} />}
        {record === undefined ? <Badge>nothing yet</Badge> : <Badge tone={TONES[record.state]}>{record.state}</Badge>}
      </div>
      {record !== undefined && (
        <>
          {record.failure !== null && (
            <p class="receipt-failure">
              <Clamped text={record.failure.message} lines={2} /> <code>{visible(record.failure.code, 80)}</code>
              {record.failure.retryable ? ' · may be tried again' : ' · final'}
            </p>
          )}
          <p class="receipt-proof">
            {proof === undefined ? <Badge>checking</Badge> : <ProofBadge of={proof} />}
            <span class="receipt-when">
              <Ago timeMs={record.updatedAtMs} />
            </span>
          </p>
        </>
      )}
    </li>
  )
}

function ProofBadge({ of }: { readonly of: AcknowledgementProof }): JSX.Element {
  const { tone, text, why } = PROOFS[of]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      <span class="receipt-why">{why}</span>
    </>
  )
}
