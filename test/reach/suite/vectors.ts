/**
 * The conformance vectors of code that needs only the language: canonical JSON, admission of JSON, Ed25519, AG-UI and
 * SSE. The sources under test are bundled with this file, because the libraries do not export them.
 */
import { isSvcError } from '../../../core/errors.ts'
import { SseParser } from '../../../plugins/client/sse-parser.ts'
import { canonicalText, toCanonical } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, fromHex } from '../../../plugins/protocol/codecs.ts'
import { isAdmissibleKey } from '../../../plugins/protocol/key-admission.ts'
import { type AgUiEvent, eventProblem } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunOrder } from '../../../plugins/realtime/runs/order/run-order.ts'
import { admitJson } from '../../../plugins/sync/engine/admission/json-admission.ts'
import { createPortableCrypto } from '../../../plugins/sync/store-sqljs/portable-crypto.ts'
import { ok, type Step, same } from './runner.ts'

/** The vector files, by their names below the folder of vectors. */
export type Vectors = Readonly<Record<string, { readonly cases: readonly Readonly<Record<string, unknown>>[] }>>

/** The files that the steps read. */
export const vectorFiles: readonly string[] = [
  ...['jcs/edge_cases_authored', 'jcs/jsontestsuite', 'jcs/testdata'],
  ...['ed25519/rfc8032_7_1', 'ed25519/wycheproof_ed25519', 'ed25519/cctv_ed25519vectors'],
  ...['agui/event_validation_1.0.0', 'agui/sequences_1.0.0', 'sse/parse'],
]

const portable = createPortableCrypto()
const textOf = (base64: unknown): string => new TextDecoder().decode(fromBase64(String(base64)))

/** The steps, one for each kind of vectors. */
export function vectorSteps(vectors: Vectors): Step[] {
  const each = async (file: string, work: (row: Readonly<Record<string, unknown>>) => unknown): Promise<void> => {
    const { cases } = vectors[file]!
    ok(`${file} has cases`, cases.length > 0)
    for (const row of cases) await work(row)
  }
  return [
    {
      name: 'JSON is admitted or refused',
      work: async () => {
        await each('jcs/edge_cases_authored', admission)
        await each('jcs/jsontestsuite', admission)
      },
    },
    {
      name: 'RFC 8785: the canonical form, and its hash',
      work: () =>
        each('jcs/testdata', ({ name, input_b64, output_b64, output_sha256 }) => {
          const { text, hash } = toCanonical(JSON.parse(textOf(input_b64)), portable.sha256)
          same(String(name), [text, hash], [textOf(output_b64), output_sha256])
        }),
    },
    {
      name: 'Ed25519: RFC 8032, Wycheproof and CCTV',
      work: async () => {
        await each('ed25519/rfc8032_7_1', async (row) => same(String(row['name']), await verdict(row), true))
        await each('ed25519/wycheproof_ed25519', async (row) =>
          same(String(row['name']), await verdict(row), row['result'] === 'valid'),
        )
        await each('ed25519/cctv_ed25519vectors', async (row) =>
          ok(String(row['name']), !(await verdict(row)) || row['strict_accepts'] === true),
        )
      },
    },
    {
      name: 'AG-UI: the shape of events',
      work: () =>
        each('agui/event_validation_1.0.0', ({ name, valid, event }) =>
          same(String(name), eventProblem(event) === null, valid),
        ),
    },
    { name: 'AG-UI: the order of events', work: () => each('agui/sequences_1.0.0', order) },
    { name: 'SSE: every text, as a whole and byte by byte', work: () => each('sse/parse', parsing) },
  ]
}

/**
 * A text that the RFC refuses is refused. The rules on numbers and depth refuse more texts. An accepted text has the
 * canonical form.
 */
function admission({ name, b64, jcs, canonical_b64 }: Readonly<Record<string, unknown>>): void {
  let text: string | undefined
  try {
    text = canonicalText(admitJson(fromBase64(String(b64))!))
  } catch (error) {
    if (!isSvcError(error)) throw error
    if (jcs === 'accept') same(String(name), error.code, 'canonicalization_failed')
    return
  }
  ok(`${name} is refused`, jcs !== 'reject')
  if (canonical_b64 !== undefined) same(String(name), text, textOf(canonical_b64))
}

async function verdict({ pk_hex, sig_hex, msg_hex, msg_utf8 }: Readonly<Record<string, unknown>>): Promise<boolean> {
  const message = msg_hex === undefined ? new TextEncoder().encode(String(msg_utf8)) : fromHex(String(msg_hex))!
  const key = fromHex(String(pk_hex))!
  return isAdmissibleKey(key) && (await portable.ed25519.verify(fromHex(String(sig_hex))!, message, key))
}

/** A run of the service is one run of the client, so events after its end are left out. */
function order({ name, accepted_by_client, events }: Readonly<Record<string, unknown>>): void {
  const all = events as readonly AgUiEvent[]
  const end = all.findIndex(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
  const first = accepted_by_client === true && end >= 0 ? all.slice(0, end + 1) : all
  let isAccepted = true
  try {
    new RunOrder().append(first)
  } catch {
    isAccepted = false
  }
  same(String(name), isAccepted, accepted_by_client)
}

function parsing({ name, input_b64, events, retry_ms }: Readonly<Record<string, unknown>>): void {
  const bytes = fromBase64(String(input_b64))!
  for (const size of [bytes.length, 1]) {
    const found: object[] = []
    const parser = new SseParser(({ type, data, id }) => found.push({ type, data, lastEventId: id }))
    for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
    same(`${name}, by ${size}`, [found, parser.retryMs], [events, retry_ms])
  }
}
