/** The actions of `svc board` that change existing things, and the action that reads a card. */
import { readFileSync } from 'node:fs'
import { UsageError } from '../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../core/kernel/printable.ts'
import type { ReadCard } from './api.ts'
import { type Action, takeOne, takeTwo } from './board-call.ts'
import { holderOf, leftOf } from './draw.ts'
import { type DeviceName, readDeviceNames } from './holder-text.ts'

/** The actions by name. */
export const editActions: Readonly<Record<'restore' | 'edit' | 'comment' | 'label' | 'renew' | 'text', Action>> = {
  async restore({ board, values, names, io }) {
    if (names.length > 0) return io.out(await board.restore('card', takeOne(names)))
    if (values.board === undefined) throw new UsageError('name a card, or a board with --board')
    io.out(await board.restore('board', values.board))
  },
  async edit({ board, values, names, io }) {
    const { title, body, priority, assignee } = values
    if (names.length === 0 && values.board !== undefined && title !== undefined) {
      if ([body, priority, assignee].some((value) => value !== undefined))
        throw new UsageError('a board has a title only')
      return io.out(await board.renameBoard(values.board, title))
    }
    const card = takeOne(names)
    if ([title, body, priority, assignee].every((value) => value === undefined))
      throw new UsageError('edit needs --title, --body, --priority or --assignee')
    if (priority !== undefined && !/^(?:[0-4]|none)$/.test(priority))
      throw new UsageError('--priority takes a number from 0 to 4, or none')
    io.out(
      await board.editCard(card, {
        title,
        body: body === undefined ? undefined : orNull(body) === null ? null : readText(body),
        priority: priority === undefined ? undefined : priority === 'none' ? null : Number(priority),
        assignee: assignee === undefined ? undefined : orNull(assignee),
      }),
    )
  },
  async comment({ board, names, io }) {
    const [card, text] = takeTwo(names)
    io.out((await board.comment(card, text === '-' ? readText('-') : text)).commentId)
  },
  async label({ board, values, names, io }) {
    const card = takeOne(names)
    const { label = [], remove = [] } = values
    if (label.length + remove.length === 0) throw new UsageError('label needs --label <name> or --remove <name>')
    io.out(await board.labelCard(card, label, remove))
  },
  async renew({ board, values, names, io }) {
    const card = takeOne(names)
    const { claim, nowMs } = await board.renew(card, leaseOf(values.minutes))
    if (values.json === true) return io.out(toJsonText(claim, 2))
    const nameOf = await readDeviceNames(io, values.socket)
    io.out(`${claim.claimId}\tgeneration ${claim.generation}\t${holderOf(claim, nameOf)}, ${leftOf(claim, nowMs)} left`)
  },
  async text({ board, values, names, io }) {
    const name = takeOne(names)
    const card = await board.readCard(name)
    if (values.json === true) return io.out(toJsonText(card, 2))
    for (const line of toTextLines(card, await readDeviceNames(io, values.socket))) io.out(line)
  },
}

/** A lease in milliseconds. */
export function leaseOf(minutes = '15'): number {
  if (!/^[1-9]\d{0,3}$/.test(minutes)) throw new UsageError('--minutes takes a number from 1 to 1440')
  return Number(minutes) * 60_000
}

function orNull(text: string): string | null {
  return text === 'none' ? null : text
}

/** The text of a file, or of standard input. Throws an error if it is not UTF-8. */
export function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file === '-' ? 0 : file))
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${file === '-' ? 'The input' : file} is not UTF-8.`)
    throw error
  }
}

/** A card as a page: its title and labels, its text, and its comments with their authors. */
function toTextLines({ title, labels, text, comments }: ReadCard, nameOf: DeviceName): readonly string[] {
  const lines = [printable([title ?? '', ...labels.map((label) => `#${label}`)].join(' '))]
  if (text !== null) lines.push('', ...toLines(text))
  for (const { deviceId, issuedAtMs, redacted, text: commentText } of comments) {
    const head = `${new Date(issuedAtMs).toISOString()}  ${nameOf(deviceId)}`
    lines.push('', redacted ? `${head}  (redacted)` : head)
    if (commentText !== null) lines.push(...toLines(commentText))
  }
  return lines
}

function toLines(text: string): readonly string[] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => printable(line))
}
