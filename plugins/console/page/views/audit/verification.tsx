/** Shows what the page has verified, and has a button that verifies the whole chain. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Reading } from '../../lib/reading.ts'
import { ServiceError } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, type Tone } from '../../parts/parts.tsx'
import { AUTOMATIC_ENTRIES, type Ledger } from './ledger.ts'
import { compareVerdict, type Finding, hashesOf, hashFinding, type Overall, overallOf } from './verdict.ts'
import { type Progress, readVerdict, type WholeWalk, walkWhole } from './whole-walk.ts'

/**
 * Time between two verifications by the service, in ms. They are rare, because the service reads its whole chain for
 * each.
 */
const VERDICT_MS = 30_000

/** Number of findings of a chain that was hashed and compared: hashes, walk, head and checkpoint. */
const COMPARISONS = 4

const OVERALL: Readonly<Record<Overall, { readonly tone: Tone; readonly text: string }>> = {
  verified: { tone: 'ok', text: 'Verified in this page' },
  partly: { tone: 'accent', text: 'The loaded part is verified' },
  broken: { tone: 'bad', text: 'Not verified' },
  checking: { tone: 'plain', text: 'Verifying' },
}

/** Shows the overall result, and one line per finding. */
export function Verification({
  ledger,
  onShow,
}: {
  readonly ledger: Ledger
  readonly onShow: (seq: number) => void
}): JSX.Element {
  const whole = useWholeWalk()
  const { findings: listFindings, comparison } = useFindings(ledger)
  const findings = whole.result?.findings ?? listFindings
  const isWhole = whole.result !== undefined || ledger.isWhole
  // A break in the list counts, even if an earlier walk found none.
  // A small chain is not called verified before it was compared with the result of the service.
  const isCompared = (ledger.head?.seq ?? 0) >= AUTOMATIC_ENTRIES || listFindings.length >= COMPARISONS
  const isBusy = ledger.isBusy || !isCompared || whole.progress !== undefined
  const overall = overallOf([...findings, ...listFindings], isWhole, isBusy)
  const { tone, text } = OVERALL[overall]
  return (
    <section class={`verification verification-${overall}`} aria-label="Verification">
      <div class="verification-head">
        <Badge tone={tone}>{text}</Badge>
        {whole.result !== undefined && (
          <span class="verification-when">
            all <Ago timeMs={whole.result.atMs} />
          </span>
        )}
        {whole.progress !== undefined ? (
          <progress max={whole.progress.of} value={whole.progress.done} aria-label="Entries hashed">
            {count(whole.progress.done)}
          </progress>
        ) : (
          <button type="button" onClick={whole.start}>
            {isWhole ? 'Verify again' : 'Verify the whole chain'}
          </button>
        )}
      </div>
      {whole.error !== undefined && (
        <Datum of={{ data: undefined, error: whole.error, atMs: whole.result?.atMs }} name="the whole chain" />
      )}
      {comparison !== undefined && <Datum of={comparison} name="the verification by the service" />}
      <ul>
        {merged(findings, listFindings).map(({ text, holds, seq }) => (
          <li key={text}>
            <span class={`dot ${holds === undefined ? '' : holds ? 'dot-ok' : 'dot-bad'}`} />
            <span>{text}</span>
            {holds === false && seq !== undefined && (
              <button type="button" class="quiet small" onClick={() => onShow(seq)}>
                Show it
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The findings of a walk, and the negative findings about the list. */
function merged(findings: readonly Finding[], listFindings: readonly Finding[]): readonly Finding[] {
  const texts = new Set(findings.map(({ text }) => text))
  return [...findings, ...listFindings.filter(({ holds, text }) => holds === false && !texts.has(text))]
}

/** The findings about the loaded part of the chain. Only a small chain is compared with the result of the service. */
function useFindings({ entries, head, breaks, count: hashed, isWhole }: Ledger): {
  readonly findings: readonly Finding[]
  /** What is known of the result of the service; undefined if the chain is not compared with it. */
  readonly comparison: Reading<unknown> | undefined
} {
  const isSmall = head !== undefined && head.seq < AUTOMATIC_ENTRIES
  const comparison = useLoad((stop) => (isSmall ? readVerdict(stop) : Promise.resolve(undefined)), {
    everyMs: VERDICT_MS,
    inputs: [isSmall],
  })
  const { data } = comparison
  const findings = useMemo(() => {
    const last = entries.at(-1)
    const isCut =
      head !== undefined &&
      last !== undefined &&
      (head.seq < last.seq || (head.seq === last.seq && head.hash !== last.hash))
    return [
      hashFinding(breaks, hashed, isWhole),
      ...(isCut ? [{ holds: false, text: 'The end of the chain has changed: entries were removed or replaced.' }] : []),
      ...(data === undefined ? [] : compareVerdict(data.body, hashesOf(entries), data.proof)),
    ]
  }, [entries, head, breaks, hashed, isWhole, data])
  return { findings, comparison: isSmall ? comparison : undefined }
}

interface Walking {
  readonly result: WholeWalk | undefined
  readonly progress: Progress | undefined
  readonly error: ServiceError | undefined
  start(): void
}

function useWholeWalk(): Walking {
  const [result, setResult] = useState<WholeWalk | undefined>(undefined)
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const run = async (signal: AbortSignal): Promise<void> => {
    setProgress({ done: 0, of: 1 })
    try {
      setResult(await walkWhole(setProgress, signal))
      setError(undefined)
    } catch (cause) {
      if (signal.aborted) return
      if (!(cause instanceof ServiceError)) throw cause
      setError(cause)
    } finally {
      if (!signal.aborted) setProgress(undefined)
    }
  }
  return { result, progress, error, start: () => void run(stop.current.signal) }
}
