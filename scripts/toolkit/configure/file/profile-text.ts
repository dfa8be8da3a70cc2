/**
 * The text of a profile's file with a changed choice. Comments, order and everything else stay as a person wrote them.
 */
import type ts from 'typescript'
import { loadTypeScript, TS } from '../../../build/typescript.ts'
import {
  applyEdits,
  editList,
  indentAt,
  type ListNode,
  type MemberEdit,
  membersOf,
  type TextEdit,
  WIDTH,
} from './edit-list.ts'
import type { Entries } from './profile-syntax.ts'
import { keyOf, member, profileIn } from './profile-syntax.ts'

/** What changes in a file. */
export interface FileChange {
  readonly library: Entries
  readonly main: Entries
  /** Built-ins that the program needs and the profile does not allow yet. */
  readonly builtins: readonly string[]
}

/** The text of a new profile. */
export function newProfileText(name: string, parent: string): string {
  return `import { defineProfile } from 'svc/plugin'

export const profile = defineProfile({
  name: '${name}',
  summary: 'A service based on ${parent}',
  extends: '${parent}',
  library: {},
})
`
}

/**
 * Changes the text. Returns undefined if the profile in it is not an object literal with literal lists, or if a line
 * that must change is computed.
 */
export function changedText(text: string, change: FileChange): string | undefined {
  const once = (
    changed: string | undefined,
    edit: (source: ts.SourceFile, profile: ts.ObjectLiteralExpression) => TextEdit[] | undefined,
  ) => {
    if (changed === undefined) return undefined
    loadTypeScript()
    const source = TS.createSourceFile('profile.ts', changed, TS.ScriptTarget.Latest, true)
    const profile = profileIn(source)
    const edits = profile === undefined ? undefined : edit(source, profile)
    return edits === undefined ? undefined : applyEdits(changed, edits)
  }
  // One list after the other, because a list that is missing is added in front of or behind the others.
  const library = once(text, (source, profile) => editTarget(source, profile, 'library', change.library))
  const main = once(library, (source, profile) => editTarget(source, profile, 'main', change.main))
  return once(main, (source, profile) => editBuiltins(source, profile, change.builtins))
}

function editTarget(
  source: ts.SourceFile,
  profile: ts.ObjectLiteralExpression,
  place: 'library' | 'main',
  entries: Entries,
): TextEdit[] | undefined {
  if (Object.keys(entries).length === 0) return []
  const target = member(profile, place)
  const lines = linesOf(source, entries)
  if (target === undefined) {
    if (profile.properties.some((one) => keyOf(one) === place)) return undefined
    const after = member(profile, place === 'main' ? 'library' : 'extends') ?? profile.properties.at(-1)
    return add(source, profile, nested([place, 'features'], lines, roomAt(source, profile.properties[0])), after)
  }
  if (!TS.isObjectLiteralExpression(target.initializer)) return undefined
  const features = member(target.initializer, 'features')
  if (features === undefined) {
    if (target.initializer.properties.some((one) => keyOf(one) === 'features')) return undefined
    const { properties } = target.initializer
    if (properties.length > 0) {
      return add(
        source,
        target.initializer,
        nested(['features'], lines, roomAt(source, properties[0])),
        member(target.initializer, 'platform'),
      )
    }
    const text = nested([place, 'features'], lines, roomAt(source, target))
    return [{ start: target.getStart(source), end: target.end, text: indented(source, target, text) }]
  }
  if (!TS.isObjectLiteralExpression(features.initializer)) return undefined
  const edits = featureEdits(source, features.initializer, entries)
  return edits === undefined ? undefined : editList(source, features.initializer, edits)
}

function featureEdits(
  source: ts.SourceFile,
  list: ts.ObjectLiteralExpression,
  entries: Entries,
): MemberEdit[] | undefined {
  const edits: MemberEdit[] = []
  for (const [id, value] of Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const node = list.properties.findLast((one) => keyOf(one) === id)
    if (node === undefined) {
      // A line that is to go and is not here comes from a spread, which only a line behind it can override.
      edits.push({ node: undefined, text: line(source, id, value ?? false), after: placeFor(list, id) })
      continue
    }
    if (!TS.isPropertyAssignment(node) || !isPlain(node.initializer)) return undefined
    edits.push({ node, text: value === undefined ? undefined : line(source, id, value) })
  }
  return edits
}

/**
 * The member that a new line goes behind: the list stays in order if it is in order, and grows at its end if it is not.
 */
function placeFor(list: ts.ObjectLiteralExpression, id: string): ts.Node | undefined {
  const keys = list.properties.map((one) => keyOf(one) ?? '')
  const isOrdered = keys.every((key, index) => index === 0 || keys[index - 1]! <= key) && !keys.includes('')
  return isOrdered ? list.properties[keys.findLastIndex((key) => key < id)] : list.properties.at(-1)
}

function isPlain(node: ts.Expression): boolean {
  return TS.isStringLiteral(node) || node.kind === TS.SyntaxKind.TrueKeyword || node.kind === TS.SyntaxKind.FalseKeyword
}

function editBuiltins(
  source: ts.SourceFile,
  profile: ts.ObjectLiteralExpression,
  builtins: readonly string[],
): TextEdit[] | undefined {
  if (builtins.length === 0) return []
  const q = quoteOf(source)
  const texts = builtins.map((name) => `${q}${name}${q}`)
  const list = member(profile, 'builtins')
  if (list === undefined) {
    if (profile.properties.some((one) => keyOf(one) === 'builtins')) return undefined
    const flat = `builtins: [${texts.join(', ')}]`
    const text =
      flat.length <= roomAt(source, profile.properties[0])
        ? flat
        : `builtins: [\n${texts.map((one) => `  ${one},\n`).join('')}]`
    return add(source, profile, text, profile.properties.at(-1))
  }
  if (!TS.isArrayLiteralExpression(list.initializer)) return undefined
  const { elements } = list.initializer
  const edits = texts.map((text): MemberEdit => {
    const index = elements.findLastIndex((one) => TS.isStringLiteral(one) && `${q}${one.text}${q}` < text)
    return { node: undefined, text, after: elements[index] }
  })
  return editList(source, list.initializer, edits)
}

function add(source: ts.SourceFile, list: ListNode, text: string, after: ts.Node | undefined): TextEdit[] {
  const anchor = membersOf(list)[0] ?? list
  return editList(source, list, [{ node: undefined, text: indented(source, anchor, text), after }])
}

/** A text of several lines with the indentation of the line of a node. */
function indented(source: ts.SourceFile, node: ts.Node, text: string): string {
  return text.replaceAll('\n', `\n${indentAt(source.text, node.getStart(source))}`)
}

/** Lines in members in each other: on one line if there is room, or each on its own. */
function nested(names: readonly string[], lines: readonly string[], room: number): string {
  const flat = names.reduceRight((inner, name) => `${name}: { ${inner} }`, lines.join(', '))
  if (flat.length <= room) return flat
  const open = names.map((name, depth) => `${'  '.repeat(depth)}${name}: {\n`).join('')
  const inner = lines.map((one) => `${'  '.repeat(names.length)}${one},\n`).join('')
  const close = names.map((_, depth) => `${'  '.repeat(depth)}}`).toReversed()
  return open + inner + close.join(',\n')
}

/** The room for a member in the line of a node, before its comma. */
function roomAt(source: ts.SourceFile, node: ts.Node | undefined): number {
  const indent = node === undefined ? 0 : indentAt(source.text, node.getStart(source)).length
  return WIDTH - indent - 1
}

function linesOf(source: ts.SourceFile, entries: Entries): string[] {
  return Object.entries(entries)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, value]) => line(source, id, value!))
}

/** One line of a list, as the formatter writes it. */
function line(source: ts.SourceFile, id: string, value: boolean | string): string {
  const q = quoteOf(source)
  const key = /^[A-Za-z_]\w*$/.test(id) ? id : `${q}${id}${q}`
  return `${key}: ${typeof value === 'string' ? `${q}${value}${q}` : value}`
}

/** The quotes that the file uses. */
function quoteOf({ text }: ts.SourceFile): string {
  return (text.match(/"/g)?.length ?? 0) > (text.match(/'/g)?.length ?? 0) ? '"' : "'"
}
