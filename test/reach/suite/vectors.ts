/**
 * Cases of code that needs only the language: canonical JSON, admission of JSON, Ed25519, AG-UI and SSE. The sources
 * under test are bundled with this file, because the libraries do not export them.
 */
import { isSvcError } from '../../../core/declare/errors.ts'
import { SseParser } from '../../../plugins/client/sse-parser.ts'
import { canonicalText, toCanonical } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, fromHex } from '../../../plugins/protocol/codecs.ts'
import { isAdmissibleKey } from '../../../plugins/protocol/keys.ts'
import { eventProblem } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunOrder } from '../../../plugins/realtime/runs/order/run-order.ts'
import { createPortableCrypto } from '../../../plugins/sync/embedded/embedded-parts.ts'
import { admitJson } from '../../../plugins/sync/engine/admission/json-admission.ts'
import type { SequenceCase, ShapeCase } from '../../support/vectors/agui.ts'
import type { SignatureCase } from '../../support/vectors/ed25519.ts'
import type { CanonicalCase, JsonCase } from '../../support/vectors/json.ts'
import type { StreamCase } from '../../support/vectors/sse.ts'
import { ok, type Step, same } from './runner.ts'

/** The cases, as data. */
export interface LanguageCases {
  readonly json: readonly JsonCase[]
  readonly canonical: readonly CanonicalCase[]
  readonly signatures: readonly SignatureCase[]
  readonly shapes: readonly ShapeCase[]
  readonly sequences: readonly SequenceCase[]
  readonly streams: readonly StreamCase[]
}

const portable = createPortableCrypto()
const textOf = (base64: string): string => new TextDecoder().decode(fromBase64(base64))

/** The steps, one for each kind of cases. */
export function vectorSteps(cases: LanguageCases): Step[] {
  const step = <Case>(name: string, rows: readonly Case[], work: (row: Case) => unknown): Step => ({
    name,
    work: async () => {
      ok(`${name}: there are cases`, rows.length > 0)
      for (const row of rows) await work(row)
    },
  })
  return [
    step('JSON is admitted or refused', cases.json, admission),
    step('RFC 8785: the canonical form, and its hash', cases.canonical, (row) => {
      const { text, hash } = toCanonical(JSON.parse(textOf(row.input_b64)), portable.sha256)
      same(row.name, [text, hash], [textOf(row.output_b64), row.output_sha256])
    }),
    step('Ed25519', cases.signatures, verification),
    step('AG-UI: the shape of events', cases.shapes, ({ name, valid, event }) =>
      same(name, eventProblem(event) === null, valid),
    ),
    step('AG-UI: the order of events', cases.sequences, order),
    step('SSE: every text, as a whole and byte by byte', cases.streams, parsing),
  ]
}

/**
 * A text that the RFC refuses is refused. The rules on numbers and depth refuse more texts. An accepted text has the
 * canonical form.
 */
function admission({ name, b64, jcs, canonical_b64 }: JsonCase): void {
  let text: string | undefined
  try {
    text = canonicalText(admitJson(fromBase64(b64)!))
  } catch (error) {
    if (!isSvcError(error)) throw error
    if (jcs === 'accept') same(name, error.code, 'canonicalization_failed')
    return
  }
  ok(`${name} is refused`, jcs !== 'reject')
  if (canonical_b64 !== undefined) same(name, text, textOf(canonical_b64))
}

async function verification({ name, pk_hex, sig_hex, msg_hex, expect }: SignatureCase): Promise<void> {
  const [key, signature, message] = [fromHex(pk_hex)!, fromHex(sig_hex)!, fromHex(msg_hex)!]
  const verdict = isAdmissibleKey(key) && (await portable.ed25519.verify(signature, message, key))
  if (expect === 'unless torsion') ok(name, verdict === isAdmissibleKey(key))
  else if (expect !== 'either') same(name, verdict, expect === 'valid')
}

/** A run of the service is one run of the client, so events after its end are left out. */
function order({ name, accepted_by_client, events }: SequenceCase): void {
  const end = events.findIndex(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
  const first = accepted_by_client && end >= 0 ? events.slice(0, end + 1) : events
  let isAccepted = true
  try {
    new RunOrder().append(first)
  } catch {
    isAccepted = false
  }
  same(name, isAccepted, accepted_by_client)
}

function parsing({ name, input_b64, events, retry_ms }: StreamCase): void {
  const bytes = fromBase64(input_b64)!
  for (const size of [bytes.length, 1]) {
    const found: object[] = []
    const parser = new SseParser(({ type, data, id }) => found.push({ type, data, lastEventId: id }))
    for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
    same(`${name}, by ${size}`, [found, parser.retryMs], [events, retry_ms])
  }
}
