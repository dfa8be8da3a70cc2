/** Edits one object or array literal in a source text, and leaves everything else as a person wrote it. */
import type ts from 'typescript'

/** A literal with members. */
export type ListNode = ts.ObjectLiteralExpression | ts.ArrayLiteralExpression

/** A change of one member. */
export interface MemberEdit {
  /** The member to change or to remove; undefined for a new member. */
  readonly node: ts.Node | undefined
  /** The new text of the member; undefined to remove it. */
  readonly text: string | undefined
  /** Where a new member goes: behind this member; undefined for the start. */
  readonly after?: ts.Node | undefined
}

/** A replacement in a text. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Longest line of a literal that stays on one line. */
export const WIDTH: number = 120

/** The replacements that make the edits. A literal on one line stays so if there is room. */
export function editList(source: ts.SourceFile, list: ListNode, edits: readonly MemberEdit[]): TextEdit[] {
  if (edits.length === 0) return []
  const text = source.text
  const isOneLine = !text.slice(list.getStart(source), list.end).includes('\n')
  return isOneLine ? [rewritten(source, list, edits)] : lineEdits(source, list, edits)
}

/** Applies replacements that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, text: by }) => result.slice(0, start) + by + result.slice(end), text)
}

/** The members of a literal. */
export function membersOf(list: ListNode): readonly ts.Node[] {
  return 'properties' in list ? list.properties : list.elements
}

/** A literal on one line, written again: on one line, or with a line for each member. */
function rewritten(source: ts.SourceFile, list: ListNode, edits: readonly MemberEdit[]): TextEdit {
  const { text } = source
  const start = list.getStart(source)
  const members: { readonly node: ts.Node | undefined; readonly text: string }[] = membersOf(list).flatMap((node) => {
    const edit = edits.find((one) => one.node === node)
    if (edit !== undefined && edit.text === undefined) return []
    return [{ node, text: edit?.text ?? node.getText(source) }]
  })
  for (const { node, text: added, after } of edits.toReversed()) {
    if (node !== undefined || added === undefined) continue
    const index = after === undefined ? -1 : membersOf(list).indexOf(after)
    const before = membersOf(list).slice(0, index + 1)
    members.splice(members.findLastIndex((one) => one.node !== undefined && before.includes(one.node)) + 1, 0, {
      node: undefined,
      text: added,
    })
  }
  const [open, close] = [text[start]!, text[list.end - 1]!]
  const texts = members.map((one) => one.text)
  const pad = open === '{' && texts.length > 0 ? ' ' : ''
  const line = `${open}${pad}${texts.join(', ')}${pad}${close}`
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', list.end)
  const rest = text.slice(list.end, lineEnd < 0 ? undefined : lineEnd).length
  if (start - lineStart + line.length + rest <= WIDTH) return { start, end: list.end, text: line }
  const indent = indentAt(text, start)
  const inner = texts.map((one) => `${indent}  ${one},\n`).join('')
  return { start, end: list.end, text: `${open}\n${inner}${indent}${close}` }
}

function lineEdits(source: ts.SourceFile, list: ListNode, edits: readonly MemberEdit[]): TextEdit[] {
  const { text } = source
  const members = membersOf(list)
  const indent =
    members[0] === undefined
      ? `${indentAt(text, list.getStart(source))}  `
      : indentAt(text, members[0].getStart(source))
  const additions = new Map<ts.Node | undefined, string[]>()
  const textEdits: TextEdit[] = []
  for (const { node, text: by, after } of edits) {
    if (node === undefined) {
      if (by !== undefined) additions.set(after, [...(additions.get(after) ?? []), by])
    } else if (by === undefined) textEdits.push(removal(source, members, node))
    else textEdits.push({ start: node.getStart(source), end: node.end, text: by })
  }
  for (const [after, texts] of additions) {
    const lines = texts.map((one) => `\n${indent}${one},`).join('')
    const place = after === undefined ? list.getStart(source) + 1 : behind(text, after.end)
    // The last member may have no comma.
    const lacksComma = after !== undefined && !text.slice(after.end, place).includes(',')
    if (lacksComma && place > after.end) textEdits.push({ start: after.end, end: after.end, text: ',' })
    textEdits.push({ start: place, end: place, text: lacksComma && place === after.end ? `,${lines}` : lines })
  }
  return textEdits
}

/** The end of the line of a member: behind its comma, and behind a comment on the same line. */
function behind(text: string, end: number): number {
  const rest = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*(?=\r?\n))?/.exec(text.slice(end))![0]
  return end + rest.trimEnd().length
}

/** Removes a member: with its whole line if there is nothing else on it. */
function removal(source: ts.SourceFile, members: readonly ts.Node[], node: ts.Node): TextEdit {
  const { text } = source
  const start = node.getStart(source)
  const end = behind(text, node.end)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const isAlone = text.slice(lineStart, start).trim() === '' && /^[ \t]*\r?\n/.test(text.slice(end))
  if (isAlone) return { start: lineStart, end: text.indexOf('\n', end) + 1, text: '' }
  const index = members.indexOf(node)
  const [previous, next] = [members[index - 1], members[index + 1]]
  if (next !== undefined) return { start, end: next.getStart(source), text: '' }
  return { start: previous?.end ?? start, end: node.end, text: '' }
}

/** The white space at the start of the line of a position. */
export function indentAt(text: string, position: number): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart))![0]
}
