/** Small parts that all views use. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ago, fullTime, shortId, visible } from '../lib/format.ts'
import { hintOf } from '../lib/reading.ts'
import type { ServiceError } from '../lib/service.ts'
import { copyText } from '../lib/shell-commands.ts'
import { now } from '../lib/while-visible.ts'

type Children = { readonly children?: ComponentChildren }

/** The head of a view: its title, a line about it, and its buttons. */
export function Head({
  title,
  about,
  children,
}: Children & { readonly title: string; readonly about?: ComponentChildren }): JSX.Element {
  return (
    <header class="head">
      <div class="head-words">
        <h1>{title}</h1>
        {about !== undefined && <p class="head-about">{about}</p>}
      </div>
      <div class="head-actions">{children}</div>
    </header>
  )
}

/** A section of a view with a title. */
export function Panel({
  title,
  aside,
  flush = false,
  children,
}: Children & {
  readonly title?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly flush?: boolean
}): JSX.Element {
  return (
    <section class={`panel${flush ? ' panel-flush' : ''}`}>
      {title !== undefined && (
        <div class="panel-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** Shown in place of an empty list: a title, an explanation, and a command to copy. */
export function Empty({
  title,
  command,
  children,
}: Children & { readonly title: string; readonly command?: string }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <Snippet text={command} />}
    </div>
  )
}

/** A shell command with a button that copies it. */
export function Snippet({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="snippet">
      <code>{text}</code>
      <Copy text={text} />
    </div>
  )
}

/** A button that copies a text. */
export function Copy({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string)
  readonly label?: string
}): JSX.Element {
  const [result, setResult] = useState<string | undefined>(undefined)
  const copy = async (): Promise<void> => {
    setResult((await copyText(typeof text === 'string' ? text : text())) ? 'Copied' : 'Not copied')
    setTimeout(() => setResult(undefined), 1_500)
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {result ?? label}
    </button>
  )
}

/** The colour of a state. */
export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent'

/** A state in a word, with the colour of the state. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: Children & { readonly tone?: Tone; readonly title?: string | undefined }): JSX.Element {
  return (
    <span class={`badge tone-${tone}`} title={title}>
      {children}
    </span>
  )
}

/** The beginning of an id, with the whole id as its title. */
export function Id({ id }: { readonly id: string }): JSX.Element {
  return (
    <code class="id" title={visible(id)}>
      {visible(shortId(id))}
    </code>
  )
}

/** How long ago a time was, updated each second. */
export function Ago({ timeMs }: { readonly timeMs: number }): JSX.Element {
  return (
    <time class="ago" dateTime={new Date(timeMs).toISOString()} title={fullTime(timeMs)}>
      {ago(timeMs, now.value)}
    </time>
  )
}

/** Shows an error: its message, code and hint. */
export function Refusal({ error }: { readonly error: ServiceError }): JSX.Element {
  const hint = hintOf(error)
  const member = error.details['member']
  return (
    <div class="refusal" role="alert">
      <strong>{visible(error.message)}</strong>
      <span class="refusal-code">
        {error.status > 0 && `${error.status} `}
        {visible(error.code)}
        {typeof member === 'string' && ` at ${visible(member)}`}
      </span>
      {hint !== undefined && <span class="refusal-hint">{visible(hint)}</span>}
    </div>
  )
}

/** A name and a value in a list of facts. */
export function Fact({ name, children }: Children & { readonly name: string }): JSX.Element {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A row of buttons of which one is pressed. */
export function Tabs<T extends string>({
  label,
  of,
  value,
  onChoose,
}: {
  readonly label: string
  readonly of: readonly (readonly [value: T, title: string])[]
  readonly value: T
  readonly onChoose: (value: T) => void
}): JSX.Element {
  return (
    <fieldset class="tabs" aria-label={label}>
      {of.map(([option, title]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChoose(option)}>
          {title}
        </button>
      ))}
    </fieldset>
  )
}

/** Number of characters in the document, which is more than two lines show. */
const MAX_SHOWN = 400
/** Number of characters in the tooltip. */
const MAX_TITLE = 2_000

/** Shows the beginning of a text in at most `lines` lines, and more of the text on hover. */
export function Clamped({ text, lines = 1 }: { readonly text: string; readonly lines?: 1 | 2 }): JSX.Element {
  return (
    <span class={`clamped clamped-${lines}`} dir="auto" title={visible(text, MAX_TITLE)}>
      {visible(text, MAX_SHOWN)}
    </span>
  )
}
