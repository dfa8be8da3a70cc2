/** A JSON value as a tree whose branches fold. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { countOf, visible } from '../lib/format.ts'

/** Number of members of an object or array that are shown at first, and added by each click. */
const MAX_MEMBERS = 100
/** Number of characters of a text that are shown at first. */
const MAX_TEXT = 400

/**
 * Shows a value. Objects and arrays from depth `openDepth` on are folded. Members in `marked` (JSON Pointers) are
 * highlighted.
 */
export function Tree({
  value,
  openDepth = 2,
  marked,
}: {
  readonly value: unknown
  readonly openDepth?: number
  readonly marked?: ReadonlySet<string>
}): JSX.Element {
  return (
    <div class="tree">
      <Node value={value} depth={0} openDepth={openDepth} pointer="" marked={marked} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: unknown
  readonly depth: number
  readonly openDepth: number
  readonly pointer: string
  readonly marked: ReadonlySet<string> | undefined
}

function Node({ name, value, depth, openDepth, pointer, marked }: NodeProps): JSX.Element {
  const [isOpen, setOpen] = useState(depth < openDepth)
  const [shown, setShown] = useState(MAX_MEMBERS)
  const mark = marked?.has(pointer) ? ' tree-marked' : ''
  const label = name === undefined ? null : <span class="tree-name">{visible(name)}</span>
  if (typeof value !== 'object' || value === null)
    return (
      <div class={`tree-leaf${mark}`}>
        {label}
        <Leaf value={value} />
      </div>
    )
  const members = Object.entries(value)
  const size = Array.isArray(value) ? countOf(members.length, 'item') : countOf(members.length, 'member')
  return (
    <div class={`tree-branch${mark}`}>
      <button type="button" class="tree-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
        <span class="tree-size">{size}</span>
      </button>
      {isOpen && (
        <div class="tree-members">
          {members.slice(0, shown).map(([key, member]) => (
            <Node
              key={key}
              name={key}
              value={member}
              depth={depth + 1}
              openDepth={openDepth}
              pointer={`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`}
              marked={marked}
            />
          ))}
          {members.length > shown && (
            <button type="button" class="quiet small" onClick={() => setShown(shown + MAX_MEMBERS)}>
              {countOf(members.length - shown, 'more', 'more')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  if (typeof value !== 'string')
    return <span class={`tree-${value === null ? 'null' : typeof value}`}>{String(value)}</span>
  const isCut = !isWhole && value.length > MAX_TEXT
  return (
    <span class="tree-string">
      {visible(value, isCut ? MAX_TEXT : undefined)}
      {isCut && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          {countOf(value.length - MAX_TEXT, 'more character')}
        </button>
      )}
    </span>
  )
}

/** Shows a summary, and the result of `children` while the part is open. */
export function Folded({
  summary,
  class: name,
  children,
}: {
  readonly summary: ComponentChildren
  readonly class?: string | undefined
  readonly children: () => ComponentChildren
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class={name} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}
