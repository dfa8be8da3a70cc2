/** The forms of single values in commands. */
import { isObject } from '../../../../core/kernel/values.ts'

/**
 * Returns the place of the first part of a value that breaks the form, as a JSON Pointer; undefined if the value fits.
 */
export type Form = (value: unknown, at: string) => string | undefined

const encoder = new TextEncoder()
const UUID = /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const HASH = /^[0-9a-f]{64}$/
/** A fractional index. It does not end with the lowest digit, so that another index always fits before it. */
const RANK = /^(?=.{1,64}$)[0-9A-Za-z]*[1-9A-Za-z]$/
const URL = /^https?:\/\/[^\s/?#\x00-\x1f\x7f][^\s\x00-\x1f\x7f]*$/

const form =
  (fits: (value: unknown) => boolean): Form =>
  (value, at) =>
    fits(value) ? undefined : at
const pattern = (expression: RegExp): Form => form((value) => typeof value === 'string' && expression.test(value))
const isInteger = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high

/** Null, or the form. */
const orNull =
  (inner: Form): Form =>
  (value, at) =>
    value === null ? undefined : inner(value, at)

/** A text of 1 to `max` bytes of UTF-8 without U+0000. */
function text(max: number): Form {
  return form(
    (value) =>
      typeof value === 'string' &&
      value.length > 0 &&
      value.length <= max &&
      !value.includes('\0') &&
      encoder.encode(value).length <= max,
  )
}

/** Most bytes of UTF-8 of each kind of text. */
export const TEXT_BYTES = { title: 1_024, label: 64, agent: 64, assignee: 256 } as const

/** A lower-case UUID that is not nil. */
export const uuid: Form = pattern(UUID)
/** 64 lower-case hex. */
export const hash: Form = pattern(HASH)
const rank = pattern(RANK)
const title = text(TEXT_BYTES.title)
const label = text(TEXT_BYTES.label)
const boolean = form((value) => typeof value === 'boolean')
const bodyHash = orNull(hash)
const priority = orNull(form((value) => isInteger(value, 0, 4)))
const assignee = orNull(text(TEXT_BYTES.assignee))
const wipLimit = orNull(form((value) => isInteger(value, 1, 1_000)))
const agent = orNull(text(TEXT_BYTES.agent))
const leaseMs = form((value) => isInteger(value, 10_000, 86_400_000))
const url = form((value) => typeof value === 'string' && URL.test(value) && encoder.encode(value).length <= 2_048)
const linkKind = form((value) => ['blocks', 'relates', 'duplicates', 'url'].includes(value as string))
const any: Form = () => undefined

/** An object with exactly these members. A member whose name ends with `?` is optional. */
function closed(members: Readonly<Record<string, Form>>): Form {
  const named = new Map(Object.entries(members).map(([name, inner]) => [name.replace('?', ''), inner]))
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return (value, at) => {
    if (!isObject(value)) return at
    const missing = required.find((name) => !Object.hasOwn(value, name))
    if (missing !== undefined) return `${at}/${missing}`
    for (const [name, member] of Object.entries(value)) {
      const inner = named.get(name)
      const misfit =
        inner === undefined ? `${at}/${escapePointer(name)}` : inner(member, `${at}/${escapePointer(name)}`)
      if (misfit !== undefined) return misfit
    }
    return undefined
  }
}

/** Escapes a name (RFC 6901 section 3). Cuts the name, because a client chooses the names of unknown members. */
function escapePointer(name: string): string {
  return name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')
}

const atLeastOne =
  (inner: Form): Form =>
  (value, at) =>
    inner(value, at) ?? (Object.keys(value as object).length > 2 ? undefined : at)

const place = closed({ boardId: uuid, columnId: uuid, rank })
const rerankPlace = closed({ cardId: uuid, rank })

const places: Form = (value, at) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 256) return at
  const cards = new Set<unknown>()
  for (const [i, item] of value.entries()) {
    const misfit = rerankPlace(item, `${at}/${i}`)
    if (misfit !== undefined) return misfit
    const { cardId } = item as { cardId: string }
    if (cards.has(cardId)) return `${at}/${i}/cardId`
    cards.add(cardId)
  }
  return undefined
}

const hashes: Form = (value, at) => {
  if (!Array.isArray(value) || value.length === 0) return at
  const wrong = value.findIndex((item, i) => hash(item, '') !== undefined || (i > 0 && value[i - 1] >= item))
  return wrong < 0 ? undefined : `${at}/${wrong}`
}

/** A link of the form `inner`. Its member `to` is a URL or a UUID, depending on its kind. */
const linkEnds = (inner: Form): Form => {
  return (value, at) => {
    const misfit = inner(value, at)
    if (misfit !== undefined) return misfit
    const { to, kind } = value as { to: unknown; kind: string }
    return (kind === 'url' ? url : uuid)(to, `${at}/to`)
  }
}

/** A choice: the id of a candidate, or a value. */
const choose: Form = (value, at) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'id')
    ? closed({ id: hash })(value, at)
    : closed({ value: any })(value, at)

const type = any
const claim = closed({ type, claimId: uuid, cardId: uuid, agent, leaseMs })
const boardText = closed({ type, boardId: uuid, title })
const cardAlone = closed({ type, cardId: uuid })
const cardLabel = closed({ type, cardId: uuid, name: label })

/** The members of every command. */
export const COMMAND_FORMS: Readonly<Record<string, Form>> = {
  'board.create': boardText,
  'board.update': boardText,
  'board.archive': closed({ type, boardId: uuid, archived: boolean }),
  'column.create': closed({ type, columnId: uuid, boardId: uuid, title, rank, 'wipLimit?': wipLimit }),
  'column.update': atLeastOne(closed({ type, columnId: uuid, 'title?': title, 'rank?': rank, 'wipLimit?': wipLimit })),
  'column.archive': closed({ type, columnId: uuid, archived: boolean }),
  'column.rerank': closed({ type, columnId: uuid, places }),
  'card.create': closed({
    type,
    cardId: uuid,
    boardId: uuid,
    columnId: uuid,
    rank,
    title,
    'bodyHash?': bodyHash,
    'priority?': priority,
    'assignee?': assignee,
  }),
  'card.update': atLeastOne(
    closed({
      type,
      cardId: uuid,
      'title?': title,
      'bodyHash?': bodyHash,
      'priority?': priority,
      'assignee?': assignee,
    }),
  ),
  'card.move': closed({ type, cardId: uuid, boardId: uuid, columnId: uuid, rank }),
  'card.archive': cardAlone,
  'card.restore': cardAlone,
  'label.add': cardLabel,
  'label.remove': cardLabel,
  'link.add': linkEnds(closed({ type, linkId: uuid, from: uuid, to: any, kind: linkKind })),
  'link.remove': closed({ type, linkId: uuid }),
  'comment.add': closed({ type, commentId: uuid, cardId: uuid, bodyHash: hash }),
  'comment.edit': closed({ type, commentId: uuid, bodyHash: hash }),
  'comment.redact': closed({ type, commentId: uuid }),
  'claim.acquire': claim,
  'claim.force': claim,
  'claim.renew': closed({ type, claimId: uuid, cardId: uuid, leaseMs }),
  'claim.release': closed({ type, claimId: uuid, cardId: uuid }),
  'conflict.resolve': closed({ type, conflictId: hash, register: any, candidates: hashes, choose }),
}

/**
 * The forms of the registers that a command can resolve, by `<kind>/<name>`. Claims, labels and redactions are not
 * resolved: the next claim settles a claim, an added label wins, and a redaction is final.
 */
export const REGISTER_FORMS: Readonly<Record<string, Form>> = {
  'board/title': title,
  'board/archived': boolean,
  'column/boardId': uuid,
  'column/title': title,
  'column/rank': rank,
  'column/wipLimit': wipLimit,
  'column/archived': boolean,
  'card/title': title,
  'card/bodyHash': bodyHash,
  'card/place': place,
  'card/priority': priority,
  'card/assignee': assignee,
  'card/archived': boolean,
  'comment/cardId': uuid,
  'comment/bodyHash': hash,
  'link/link': linkEnds(closed({ from: uuid, to: any, kind: linkKind })),
  'link/removed': boolean,
}
