/**
 * A text in a subset of Markdown. The parser only gives tokens, and this file makes elements of them, so that no text
 * ever becomes HTML: HTML in a text is shown as it is written, an image becomes a link, and a link leads to a web or
 * mail address only.
 */
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../lib/format.ts'

/** Longest text that is parsed, in UTF-16 units. A longer text is shown as it is written. */
const MAX_PARSED = 20_000
/** Deepest nesting of lists and quotes that is drawn. */
const MAX_DEPTH = 12
/** The schemes of links. */
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i

/** Shows a text. `headingLevel` is the level of its first headings: one below the heading above the text. */
export function Markdown({ text, headingLevel }: { readonly text: string; readonly headingLevel: 3 | 4 }): JSX.Element {
  const tokens = useMemo(() => tokensOf(text), [text])
  if (tokens === undefined)
    return (
      <p class="md-plain" dir="auto">
        {visible(text)}
      </p>
    )
  return <div class="md">{blocks(tokens, { headingLevel, depth: 0 })}</div>
}

/** The tokens of a text; undefined if it is too long, or nested too deeply for the parser. */
function tokensOf(text: string): readonly Token[] | undefined {
  if (text.length > MAX_PARSED) return undefined
  try {
    return new Lexer({ gfm: true }).lex(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Context {
  readonly headingLevel: 3 | 4
  readonly depth: number
}

/** Whether an address may be a link: `javascript:`, `data:` and relative addresses may not. */
function isSafeAddress(address: string): boolean {
  return SAFE_ADDRESS.test(address)
}

function blocks(tokens: readonly Token[], context: Context): ComponentChildren {
  if (context.depth > MAX_DEPTH) return tokens.map(({ raw }) => visible(raw))
  return tokens.map((token, index) => <Block key={index} of={token as MarkedToken} context={context} />)
}

function Block({ of, context }: { readonly of: MarkedToken; readonly context: Context }): ComponentChildren {
  const inner = { ...context, depth: context.depth + 1 }
  switch (of.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading': {
      const Heading = `h${context.headingLevel}` as 'h3' | 'h4'
      return (
        <Heading class={`md-heading-${of.depth}`} dir="auto">
          {inlines(of.tokens, inner)}
        </Heading>
      )
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable.
        <pre tabIndex={0}>
          <code>{visible(of.text)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote dir="auto">{blocks(of.tokens, inner)}</blockquote>
    case 'list':
      return <List of={of} context={inner} />
    case 'table':
      return <Table of={of} context={inner} />
    case 'paragraph':
      return <p dir="auto">{inlines(of.tokens, inner)}</p>
    case 'text':
      return of.tokens === undefined ? visible(of.text) : inlines(of.tokens, inner)
    default:
      return (
        <p class="md-plain" dir="auto">
          {visible(of.raw.trimEnd())}
        </p>
      )
  }
}

function List({ of, context }: { readonly of: Tokens.List; readonly context: Context }): JSX.Element {
  const items = of.items.map(({ tokens, task, checked }, index) => (
    <li key={index} dir="auto">
      {task && (
        <span class="md-task" role="img" aria-label={checked === true ? 'done' : 'not done'}>
          {checked === true ? '☑' : '☐'}{' '}
        </span>
      )}
      {blocks(
        tokens.filter(({ type }) => type !== 'checkbox'),
        context,
      )}
    </li>
  ))
  return of.ordered ? <ol start={Number(of.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ of, context }: { readonly of: Tokens.Table; readonly context: Context }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable.
    <div class="md-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {of.header.map(({ tokens }, index) => (
              <th key={index} dir="auto">
                {inlines(tokens, context)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens }, index) => (
                <td key={index} dir="auto">
                  {inlines(tokens, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inlines(tokens: readonly Token[], context: Context): ComponentChildren {
  if (context.depth > MAX_DEPTH) return tokens.map(({ raw }) => visible(raw))
  const inner = { ...context, depth: context.depth + 1 }
  return tokens.map((token, index) => <Inline key={index} of={token as MarkedToken} context={inner} />)
}

function Inline({ of, context }: { readonly of: MarkedToken; readonly context: Context }): ComponentChildren {
  switch (of.type) {
    case 'strong':
      return <strong>{inlines(of.tokens, context)}</strong>
    case 'em':
      return <em>{inlines(of.tokens, context)}</em>
    case 'del':
      return <s>{inlines(of.tokens, context)}</s>
    case 'codespan':
      return <code>{visible(of.text)}</code>
    case 'br':
      return <br />
    case 'escape':
      return visible(of.text)
    case 'text':
      return of.tokens === undefined ? visible(of.text) : inlines(of.tokens, context)
    case 'link':
      return <Address to={of.href}>{inlines(of.tokens, context)}</Address>
    case 'image':
      return <Address to={of.href}>{visible(`image: ${of.text === '' ? of.href : of.text}`)}</Address>
    default:
      return visible(of.raw)
  }
}

/** A link to a web or mail address. Of any other address only the text is shown. */
function Address({ to, children }: { readonly to: string; readonly children: ComponentChildren }): JSX.Element {
  if (!isSafeAddress(to))
    return (
      <>
        {children} <code>{visible(to, 200)}</code>
      </>
    )
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" title={visible(to, 300)}>
      {children}
    </a>
  )
}
