/** Comments and links of a card. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { Ago } from '../../../parts/parts.tsx'
import { canWrite, changeWithText, enter } from '../changes/changes.ts'
import { hrefOf } from '../columns/card.tsx'
import { nameOf } from '../names.ts'
import type { CardDetail, Project } from '../state.ts'
import { BodyText } from './body-text.tsx'

/** Number of comments that are shown before the reader asks for older comments. */
const SHOWN = 50

/** Shows the comments, and a field for a new comment. */
export function Comments({
  comments,
  cardId,
}: {
  readonly comments: CardDetail['comments']
  readonly cardId: string
}): JSX.Element | null {
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  if (comments.length === 0 && !canWrite()) return null
  const shown = isWhole ? comments : comments.slice(-SHOWN)
  const submit = (event: Event): void => {
    event.preventDefault()
    const commentId = crypto.randomUUID()
    void changeWithText(text, (bodyHash) =>
      bodyHash === null ? [] : [{ type: 'comment.add', commentId, cardId, bodyHash }],
    ).then((isSent) => isSent && setText(''))
  }
  return (
    <section class="detail-section">
      <h3>Comments</h3>
      {shown.length < comments.length && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show {comments.length - shown.length} older comments
        </button>
      )}
      <ol class="comments">
        {shown.map(({ commentId, bodyHash, redacted, deviceId, issuedAtMs }) => (
          <li key={commentId}>
            <p class="comment-who">
              {deviceId !== undefined && <strong dir="auto">{visible(nameOf(deviceId))}</strong>}
              {issuedAtMs !== undefined && <Ago timeMs={issuedAtMs} />}
              {canWrite() && !redacted && (
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => void enter({ type: 'comment.redact', commentId })}
                >
                  Redact
                </button>
              )}
            </p>
            {redacted ? <p class="nothing">Redacted</p> : <BodyText hash={bodyHash} headingLevel={4} />}
          </li>
        ))}
      </ol>
      {canWrite() && (
        <form class="comment-form" onSubmit={submit}>
          <textarea
            aria-label="Write a comment"
            placeholder="Write a comment"
            dir="auto"
            rows={2}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="submit" class="small" disabled={text.trim() === ''}>
            Comment
          </button>
        </form>
      )}
    </section>
  )
}

/** Shows the links of a card to other cards and to web addresses. */
export function Links({
  links,
  cardId,
  project,
}: {
  readonly links: CardDetail['links']
  readonly cardId: string
  readonly project: Project
}): JSX.Element | null {
  if (links.length === 0) return null
  return (
    <section class="detail-section">
      <h3>Links</h3>
      <ul class="card-links">
        {links.map(({ linkId, from, to, kind }) => {
          const other = from === cardId ? to : from
          return (
            <li key={linkId}>
              <span class="nothing">{from === cardId ? kind : `${kind} (from)`}</span>
              {kind === 'url' ? (
                <Address url={to ?? ''} />
              ) : (
                <a href={hrefOf(other ?? '')} dir="auto">
                  {visible(project.cards[other ?? '']?.title ?? 'a card that is not on this node', 200)}
                </a>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Shows a web address as a link. An address with another scheme than http or https is shown as text. */
function Address({ url }: { readonly url: string }): JSX.Element {
  if (!/^https?:\/\//.test(url)) return <code>{visible(url)}</code>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {visible(url, 200)}
    </a>
  )
}
