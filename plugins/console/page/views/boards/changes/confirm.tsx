/**
 * Shows signed commands: as a question before they are sent or, if the reader wants no question, as a list after they
 * are sent.
 */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { countOf, visible } from '../../../lib/format.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Badge, Copy, Id } from '../../../parts/parts.tsx'
import { wordsOf } from '../detail/history.ts'
import { nameOf } from '../names.ts'
import type { CommandEnvelope, Project } from '../state.ts'
import { isConfirmationOff, question, type Sent, sent } from './changes.ts'

/** Shows the present question, if there is one. */
export function Confirm({ project }: { readonly project: Project }): JSX.Element | null {
  const present = question.value
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [present])
  if (present === undefined) return null
  const { signed } = present
  const [first] = signed
  if (first === undefined) return null
  const { signerKeyId } = first
  return (
    <Dialog
      title={signed.length === 1 ? 'Sign and send this command' : `Sign and send these ${signed.length} commands`}
      onClose={() => present.answer(false)}
    >
      <p class="confirm-signer">
        Signed by <strong>{visible(nameOf(signerKeyId))}</strong> <code>{signerKeyId}</code>
      </p>
      <ol class="confirm-list">
        {signed.map((envelope, index) => (
          <li key={envelope.commandId}>
            <p>{visible(wordsOf(envelope.command, project))}</p>
            <CommandText envelope={envelope} isOpen={index === 0} />
          </li>
        ))}
      </ol>
      <label>
        <input
          type="checkbox"
          checked={isConfirmationOff.value}
          onChange={({ currentTarget }) => {
            isConfirmationOff.value = currentTarget.checked
          }}
        />
        Do not ask again in this session. Sent commands are listed below the board.
      </label>
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

/** Lists the commands that were sent without a question. */
export function SentStrip({ project }: { readonly project: Project }): JSX.Element | null {
  if (!isConfirmationOff.value) return null
  const all = sent.value
  return (
    <section class="sent" aria-label="Commands sent">
      <details>
        <summary>
          <span class="sent-title">{all.length === 0 ? 'No command sent yet' : countOf(all.length, 'command')}</span>
          {all[0] !== undefined && <Line sent={all[0]} project={project} />}
        </summary>
        <ol>
          {all.map((entry) => (
            <li key={entry.envelope.commandId}>
              <Line sent={entry} project={project} />
              <CommandText envelope={entry.envelope} isOpen={false} />
            </li>
          ))}
        </ol>
      </details>
      <button
        type="button"
        class="quiet small"
        onClick={() => {
          isConfirmationOff.value = false
        }}
      >
        Ask again
      </button>
    </section>
  )
}

function Line({
  sent: { envelope, outcome },
  project,
}: {
  readonly sent: Sent
  readonly project: Project
}): JSX.Element {
  return (
    <span class="sent-line">
      <Badge tone={outcome === 'sent' ? 'ok' : outcome === 'refused' ? 'bad' : 'plain'}>{outcome}</Badge>
      <span class="sent-words">{visible(wordsOf(envelope.command, project))}</span>
      <Id id={envelope.commandId} />
    </span>
  )
}
