/** Shows signed commands in words: as a question before they are sent, and as a list after they are sent. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { countOf, visible } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Badge, Copy, Fact } from '../../../parts/parts.tsx'
import { nameOf } from '../names.ts'
import type { CommandEnvelope } from '../state.ts'
import { readText } from '../texts.ts'
import { type CommandFact, factsOf, sentenceOf } from '../words.ts'
import { canWrite, question, type Sent, sent } from './changes.ts'
import { asksAlways } from './preference.ts'

/** Number of characters of a value that are shown. */
const MAX_VALUE = 600

/** Shows the present question, if there is one. */
export function Confirm(): JSX.Element | null {
  const present = question.value
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [present])
  if (present === undefined) return null
  const { signed, before } = present
  const [first] = signed
  if (first === undefined) return null
  return (
    <Dialog
      title={signed.length === 1 ? 'Sign and send this' : `Sign and send these ${signed.length} commands`}
      onClose={() => present.answer(false)}
    >
      <ol class="confirm-list">
        {signed.map((envelope) => (
          <li key={envelope.commandId}>
            <p class="confirm-words" dir="auto">
              {visible(sentenceOf(envelope.command, before))}
            </p>
            <Facts of={factsOf(envelope.command, before, nameOf)} />
          </li>
        ))}
      </ol>
      <p class="confirm-signer">
        Signed by <strong dir="auto">{visible(nameOf(first.signerKeyId))}</strong>
      </p>
      <details class="confirm-bytes">
        <summary>What is signed, as JSON</summary>
        {signed.map((envelope) => (
          <CommandText key={envelope.commandId} envelope={envelope} isOpen />
        ))}
      </details>
      <footer>
        <button type="button" onClick={() => present.answer(false)}>
          Cancel
        </button>
        <button ref={button} type="button" class="primary" onClick={() => present.answer(true)}>
          Sign and send
        </button>
      </footer>
    </Dialog>
  )
}

function Facts({ of }: { readonly of: readonly CommandFact[] }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <dl class="facts">
      {of.map(({ name, text, hash }, index) => (
        <Fact key={`${name} ${index}`} name={name}>
          <span class="confirm-value" dir="auto">
            {hash === undefined ? visible(text ?? '', MAX_VALUE) : <StoredText hash={hash} />}
          </span>
        </Fact>
      ))}
    </dl>
  )
}

/** The beginning of a text that the node stores. */
function StoredText({ hash }: { readonly hash: string }): JSX.Element {
  const { data, error } = useLoad((signal) => readText(hash, signal), { inputs: [hash] })
  if (error !== undefined) return <>{visible(error.message)}</>
  return <>{data === undefined ? '…' : visible(data.text ?? 'The text is not on this node.', MAX_VALUE)}</>
}

/** Shows a command as JSON, and below it the whole envelope, folded. */
export function CommandText({
  envelope,
  isOpen,
}: {
  readonly envelope: CommandEnvelope
  readonly isOpen: boolean
}): JSX.Element {
  return (
    <>
      <details open={isOpen}>
        <summary>{envelope.command.type}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
        <pre class="command-json" tabIndex={0}>
          {visible(JSON.stringify(envelope.command, null, 2))}
        </pre>
      </details>
      <details>
        <summary>The whole envelope, with its signature</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
        <pre class="command-json" tabIndex={0}>
          {visible(JSON.stringify(envelope, null, 2))}
        </pre>
        <Copy text={JSON.stringify(envelope)} label="Copy as JSON" />
      </details>
    </>
  )
}

/** Lists the commands that this page has sent, and has the choice to see each command before it is sent. */
export function SentStrip(): JSX.Element | null {
  if (!canWrite()) return null
  const all = sent.value
  return (
    <section class="sent" aria-label="Commands sent">
      {all[0] !== undefined && (
        <details>
          <summary>
            <span class="sent-title">{countOf(all.length, 'command')} sent</span>
            <Line sent={all[0]} />
          </summary>
          <ol>
            {all.map((entry) => (
              <li key={entry.envelope.commandId}>
                <Line sent={entry} />
                <CommandText envelope={entry.envelope} isOpen={false} />
              </li>
            ))}
          </ol>
        </details>
      )}
      <label class="sent-ask">
        <input
          type="checkbox"
          checked={asksAlways.value}
          onChange={({ currentTarget }) => {
            asksAlways.value = currentTarget.checked
          }}
        />
        Ask before each change
      </label>
    </section>
  )
}

function Line({ sent: { words, outcome } }: { readonly sent: Sent }): JSX.Element {
  return (
    <span class="sent-line">
      <Badge tone={outcome === 'sent' ? 'ok' : outcome === 'refused' ? 'bad' : 'plain'}>{outcome}</Badge>
      <span class="sent-words" dir="auto">
        {visible(words)}
      </span>
    </span>
  )
}
