/** One item of a timeline: a message, a tool call, a change of the state, or any other event. */
import { type Context, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { clockTime, count, countOf, duration, fullTime, visible } from '../../lib/format.ts'
import { Badge } from '../../parts/parts.tsx'
import { Folded, Tree } from '../../parts/tree.tsx'
import { isFailure } from './failures.ts'
import {
  between,
  type Item,
  type MarkItem,
  type MessageItem,
  type StateItem,
  type Took,
  type ToolItem,
} from './timeline.ts'

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
  readonly onSelect: (item: Item) => void
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

function Message({ item }: { readonly item: MessageItem }): JSX.Element {
  const { role, text, isOpen } = item
  return (
    <>
      <Label name={role} of={item} />
      <p class="message-text">
        {visible(text)}
        {isOpen && <span class="caret" aria-hidden="true" />}
      </p>
    </>
  )
}

function Tool({ item }: { readonly item: ToolItem }): JSX.Element {
  const { name, input, result, isError, isOpen, start, end } = item
  const took = result === undefined ? undefined : between(start, end)
  return (
    <Folded
      class={isError ? 'tool-bad' : undefined}
      summary={
        <>
          <Label name="tool" of={{ ...item, position: undefined }} />
          <code class="tool-name">{visible(name)}</code>
          <span class="tool-input">{visible(input, 120)}</span>
          {isOpen ? (
            <Badge tone="accent">calling</Badge>
          ) : result === undefined ? (
            <Badge>no result</Badge>
          ) : isError ? (
            <Badge tone="bad" title={takenBy(took)}>{`failed${inTime(took)}`}</Badge>
          ) : (
            <Badge tone="ok" title={takenBy(took)}>{`done${inTime(took)}`}</Badge>
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
  readonly onSelect: (item: Item) => void
}): JSX.Element {
  const { operations, problem } = item
  return (
    <div class="state-row">
      <Label name="state" of={item} />
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

function Mark({ item }: { readonly item: MarkItem }): JSX.Element {
  const { event, position, took } = item
  const { type, ...rest } = event
  const about = rest['stepName'] ?? rest['message'] ?? rest['name'] ?? ''
  return (
    <Folded
      class={isFailure(item) ? 'mark-bad' : undefined}
      summary={
        <>
          <span class="mark-name">{MARKS[type] ?? visible(type)}</span>
          <span class="tool-input">{visible(String(about), 200)}</span>
          {took !== undefined && (
            <span class="item-took" title={takenBy(took)}>
              {took.isByArrival && took.ms === 0 ? 'arrived at once' : `took ${duration(took.ms)}`}
            </span>
          )}
          <Time of={item} />
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
  of,
}: {
  readonly name: string
  readonly of: Pick<Item, 'events' | 'position' | 'start'>
}): JSX.Element {
  const { events, position } = of
  return (
    <span class="item-label">
      {visible(name, 40)}
      {events > 1 && <span class="item-events">{countOf(events, 'event')}</span>}
      <Time of={of} />
      <Position position={position} />
    </span>
  )
}

/**
 * How long a tool took, behind the word for its end. Events of one append have one arrival time, which gives no
 * duration.
 */
function inTime(took: Took | undefined): string {
  return took === undefined || (took.isByArrival && took.ms === 0) ? '' : ` in ${duration(took.ms)}`
}

/** By which clock a duration is. */
function takenBy(took: Took | undefined): string | undefined {
  if (took === undefined) return undefined
  return took.isByArrival ? 'between the arrivals of the events at the service' : 'by the times that the agent gave'
}

/**
 * When the first event of an item happened, as the agent has said, or when the service got it. Nothing if neither is
 * known.
 */
function Time({ of: { start } }: { readonly of: Pick<Item, 'start'> }): JSX.Element | null {
  const { agentMs, arrivedMs } = start
  const atMs = agentMs ?? arrivedMs
  if (atMs === undefined) return null
  const by = agentMs === undefined ? 'arrived at the service' : 'as the agent gave it'
  return (
    <time class="item-time" dateTime={new Date(atMs).toISOString()} title={`${fullTime(atMs)}, ${by}`}>
      {clockTime(atMs)}
    </time>
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
