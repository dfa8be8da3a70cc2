/** One item of a timeline: a message, a tool call, a change of the state, or any other event. */
import { type Context, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { count, countOf, visible } from '../../lib/format.ts'
import { Folded } from '../../parts/folded.tsx'
import { Badge } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import type { Item, MarkItem, MessageItem, StateItem, ToolItem } from './timeline.ts'

/** Called with the position after which the reader wants to join the run. */
export const JoinBehind: Context<(position: string) => void> = createContext<(position: string) => void>(
  () => undefined,
)

/** Shows an item by its kind. */
export function ItemBody({
  item,
  isSelected,
  onSelect,
}: {
  readonly item: Item
  readonly isSelected: boolean
  readonly onSelect: (item: StateItem) => void
}): JSX.Element {
  switch (item.kind) {
    case 'message':
      return <Message item={item} />
    case 'tool':
      return <Tool item={item} />
    case 'state':
      return <State item={item} isSelected={isSelected} onSelect={onSelect} />
    case 'mark':
      return <Mark item={item} />
  }
}

function Message({ item: { role, text, isOpen, events, position } }: { readonly item: MessageItem }): JSX.Element {
  return (
    <>
      <Label name={role} events={events} position={position} />
      <p class="message-text">
        {visible(text)}
        {isOpen && <span class="caret" aria-hidden="true" />}
      </p>
    </>
  )
}

function Tool({ item: { name, input, result, isOpen, events } }: { readonly item: ToolItem }): JSX.Element {
  return (
    <Folded
      summary={
        <>
          <Label name="tool" events={events} position={undefined} />
          <code class="tool-name">{visible(name)}</code>
          <span class="tool-input">{visible(input, 120)}</span>
          {isOpen ? (
            <Badge tone="accent">calling</Badge>
          ) : result === undefined ? (
            <Badge>no result yet</Badge>
          ) : (
            <Badge tone="ok">done</Badge>
          )}
        </>
      }
    >
      {() => (
        <>
          <h3>Arguments</h3>
          <Tree value={parsed(input)} />
          {result !== undefined && (
            <>
              <h3>Result</h3>
              <Tree value={parsed(result)} />
            </>
          )}
        </>
      )}
    </Folded>
  )
}

/** The value of a JSON text, or the text itself if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function State({
  item,
  isSelected,
  onSelect,
}: {
  readonly item: StateItem
  readonly isSelected: boolean
  readonly onSelect: (item: StateItem) => void
}): JSX.Element {
  const { operations, problem, events, position } = item
  return (
    <div class="state-row">
      <Label name="state" events={events} position={position} />
      <button type="button" class="state-change" aria-pressed={isSelected} onClick={() => onSelect(item)}>
        {operations === undefined ? (
          <span>replaced completely</span>
        ) : (
          <span class="state-paths">
            {operations.slice(0, 4).map(({ op, path }, index) => (
              <code key={index}>
                {visible(op)} {visible(path === '' ? 'all' : path)}
              </code>
            ))}
            {operations.length > 4 && `${count(operations.length - 4)} more`}
          </span>
        )}
      </button>
      {problem !== undefined && (
        <Badge tone="bad" title={visible(problem)}>
          cannot be applied
        </Badge>
      )}
    </div>
  )
}

/** The names of events that are shown as marks. Other events are shown by their type. */
const MARKS: Readonly<Record<string, string>> = {
  RUN_STARTED: 'Run started',
  RUN_FINISHED: 'Run finished',
  RUN_ERROR: 'Run failed',
  STEP_STARTED: 'Step began',
  STEP_FINISHED: 'Step ended',
  MESSAGES_SNAPSHOT: 'All messages so far',
}

function Mark({ item: { event, position } }: { readonly item: MarkItem }): JSX.Element {
  const { type, ...rest } = event
  const about = rest['stepName'] ?? rest['message'] ?? rest['name'] ?? ''
  return (
    <Folded
      class={type === 'RUN_ERROR' ? 'mark-bad' : undefined}
      summary={
        <>
          <span class="mark-name">{MARKS[type] ?? visible(type)}</span>
          <span class="tool-input">{visible(String(about), 200)}</span>
          <span class="item-position">{position?.slice(position.lastIndexOf('-') + 1)}</span>
        </>
      }
    >
      {() => <Tree value={rest} />}
    </Folded>
  )
}

function Label({
  name,
  events,
  position,
}: {
  readonly name: string
  readonly events: number
  readonly position: string | undefined
}): JSX.Element {
  return (
    <span class="item-label">
      {visible(name, 40)}
      {events > 1 && <span class="item-events">{countOf(events, 'event')}</span>}
      <Position position={position} />
    </span>
  )
}

function Position({ position }: { readonly position: string | undefined }): JSX.Element | null {
  const joinBehind = useContext(JoinBehind)
  if (position === undefined) return null
  const sequence = position.slice(position.lastIndexOf('-') + 1)
  const join = (event: Event): void => {
    // The item around the button may react to clicks, too.
    event.preventDefault()
    event.stopPropagation()
    joinBehind(position)
  }
  return (
    <button type="button" class="item-position" title={`Join the run after ${position}`} onClick={join}>
      {sequence}
    </button>
  )
}
