/** What failed in a run, and the search in its items. */
import type { Item } from './timeline.ts'

/** Whether an item shows a failure: of the run, of a tool, of a subagent, or a patch that cannot be applied. */
export function isFailure(item: Item): boolean {
  switch (item.kind) {
    case 'tool':
      return item.isError
    case 'state':
      return item.problem !== undefined
    case 'mark':
      return item.event.type === 'RUN_ERROR' || item.event.type === 'SUBAGENT_ERROR'
    case 'message':
      return false
  }
}

/** A failure in a few words. */
export function failureInWords(item: Item): string {
  switch (item.kind) {
    case 'tool':
      return `the tool ${item.name} answered ${item.result ?? ''}`
    case 'state':
      return `a change of the state cannot be applied: ${item.problem ?? ''}`
    case 'mark':
      return String(item.event['message'] ?? item.event.type)
    case 'message':
      return item.text
  }
}

/** The items with a text in what they show, in their order; all of them for an empty text. */
export function itemsWith(items: readonly Item[], text: string): readonly Item[] {
  const sought = text.trim().toLowerCase()
  return sought === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(sought))
}

function textOf(item: Item): string {
  switch (item.kind) {
    case 'message':
      return `${item.role} ${item.text}`
    case 'tool':
      return `tool ${item.name} ${item.input} ${item.result ?? ''}`
    case 'state':
      return `state ${JSON.stringify(item.operations ?? '')} ${item.problem ?? ''}`
    case 'mark':
      return JSON.stringify(item.event)
  }
}

/** The number of an event, the end of its position `<epoch>-<seq>`; undefined within a snapshot. */
export function numberOf({ position }: Pick<Item, 'position'>): string | undefined {
  return position?.slice(position.lastIndexOf('-') + 1)
}
