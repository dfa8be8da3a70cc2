/** What is read of boards: every statement that only looks. */
import type {
  Card,
  CardDetail,
  Claim,
  CommandEnvelope,
  Comment,
  Conflict,
  Link,
  ListedCommand,
  Project,
  Standing,
} from '../../api.ts'
import { fail } from '../../errors.ts'
import type { Content } from '../content/content.ts'
import { claimJson } from '../fold/fold.ts'
import { CREATED } from '../fold/registers.ts'
import type { Graph, ProjectRow } from '../graph/graph.ts'
import { contains, intersect, sizeOf } from '../graph/ranges.ts'
import type { Sql } from '../parts.ts'

/** Commands in an order in which parents stand first, and whether there are more. */
export interface CommandPage {
  readonly commands: readonly ListedCommand[]
  readonly more: boolean
}

/** Some of the open conflicts of a project. */
export interface ConflictPage {
  /** JSON texts, by conflictId. */
  readonly texts: readonly string[]
  /** The id of the last one where there are more. */
  readonly next: string | null
}

/** The reads of boards. A project without commands has no heads; names are not checked here. */
export interface KbdReads {
  readonly content: Pick<Content, 'get' | 'wanted' | 'isNamed'>
  /** Names of projects that have commands, with where they stand. */
  projects(): readonly (Standing & { readonly project: string; readonly root: string })[]
  standing(project: string): Standing
  root(project: string): string | null
  /** The body of GET project as a text, and as a value. */
  snapshotText(project: string): string
  snapshot(project: string): Project
  /** Ids of boards in the order of their creation, which is the same on every node. */
  boardOrder(project: string): readonly string[]
  /**
   * Rows of one map of a project, by id, after an id: what a reading in slices is made of. A claim is as it is shown, also where
   * several bear its id.
   */
  viewPage(project: string, map: string, after: string, limit: number): readonly ViewRow[]
  /** Throws `entity_not_found`. */
  card(project: string, cardId: string): CardDetail
  comment(project: string, commentId: string): Comment | undefined
  /** Claims by cardId, claimId; `all` or those of a state, judged at `nowMs`. */
  claims(project: string, state: Claim['state'] | 'all', nowMs: number): readonly Claim[]
  /** Open conflicts by id, and one of them: throws `conflict_not_found`. */
  conflicts(project: string): readonly Conflict[]
  /** Some of them as JSON texts: those after an id, up to a number, and up to a number of characters but for the first. */
  conflictPage(project: string, after: string, limit: number, maxChars: number): ConflictPage
  conflictIds(project: string): readonly string[]
  conflict(project: string, conflictId: string): Conflict
  unplaced(project: string): readonly string[]
  /** In the order in which they came; undefined where `after` is no command of the project. */
  commands(project: string, after: string | undefined, limit: number): CommandPage | undefined
  command(project: string, id: string): ListedCommand | undefined
  /** Which of some ids are commands of the project. */
  known(project: string, ids: readonly string[]): ReadonlySet<string>
  /** The `issuedAtMs` of a command; undefined if the project has no such command. */
  issuedAtMs(project: string, id: string): number | undefined
  /** Where a device's command with this commandId stands, at whichever project position it came. */
  findByCommandId(project: string, signerKeyId: string, commandId: string): { readonly id: string } | undefined
  /** Heads and spaced ancestors: what to show another node so that it sends the rest. */
  have(project: string): readonly string[]
  /**
   * What is not in the past of ids that another node has, parents first, up to a number of bytes. `after` is the last
   * command of the page before: where there are more heads than ids may be named, it is what makes sure of an end. With
   * `upTo` only what is in the past of those known commands, they included.
   */
  missing(
    project: string,
    have: readonly string[],
    maxBytes: number,
    after?: string,
    upTo?: readonly string[],
  ): CommandPage
  /** The number of commands that are not in the past of the ids; unknown ids say nothing. */
  behind(project: string, have: readonly string[]): number
  /** A text that a command of this project names and shows. */
  contentOf(project: string, hash: string): Uint8Array | undefined
  /** The same for a peer: only bytes that came in under the project, or that the peer has handed in itself. */
  contentFor(project: string, hash: string, peer: string): Uint8Array | undefined
  /**
   * Hashes of texts that commands of a project name and show, and that have not come in under it, at most `limit`; with `upTo` only
   * those of commands in the past of these.
   */
  wantedContent(project: string, limit: number, upTo?: readonly string[]): readonly string[]
  /** Whether every id is known here and `of` (known heads) have it in their past, or are it. */
  covers(project: string, of: readonly string[], ids: readonly string[]): boolean
  /** Commands in the past of known heads, they included: the revision that a frontier stands for. */
  revisionOf(project: string, heads: readonly string[]): number
}

/** What reads are made of. */
export type ReadParts = { readonly sql: Sql; readonly graph: Graph; readonly content: Content }

/** Makes the reads of a database. */
export function createReads({ sql, graph, content }: ReadParts): KbdReads {
  const standingOf = (row: ProjectRow | undefined): Standing =>
    row === undefined
      ? { frontier: { heads: [] }, headCount: 0, revision: 0 }
      : { frontier: graph.frontier(row.p), headCount: row.headCount, revision: row.revision }
  const numberOf = (project: string): number => graph.project(project)?.p ?? 0
  const view = <T>(p: number, map: string, id: string): T | undefined => {
    const row = sql('SELECT json FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[json: string]>(p, map, id)
    return row === undefined ? undefined : (JSON.parse(row[0]) as T)
  }
  const views = (p: number, map: string): readonly ViewRow[] =>
    sql('SELECT id, json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? ORDER BY id').all<ViewRow>(p, map)
  const boardIds = (p: number): readonly string[] =>
    sql(
      `SELECT substr(e.entity, 7) AS id FROM kbd_entries e JOIN kbd_commands c ON c.p = e.p AND c.pos = e.pos
       WHERE e.p = ? AND e.entity BETWEEN 'board/' AND 'board/~' AND e.name = '${CREATED}'
       GROUP BY e.entity ORDER BY min(c.issued_at_ms), min(c.id)`,
    )
      .all<[id: string]>(p)
      .map(([id]) => id)
  const inOrder = (p: number, boards: readonly ViewRow[]): readonly ViewRow[] => {
    const byId = new Map(boards.map((row) => [row[0], row]))
    return boardIds(p).map((id) => byId.get(id)!)
  }
  const belonging = (p: number, column: 'a' | 'b', owner: string, map: string): readonly string[] =>
    sql(`SELECT json FROM kbd_views WHERE p = ? AND ${column} = ? AND map = ? AND archived = 0 ORDER BY id`)
      .all<[json: string]>(p, owner, map)
      .map(([json]) => json)
  const claimsOf = (p: number): ReadonlyMap<string, string> => {
    const found = new Map<string, string>()
    for (const [, json, , claimId] of views(p, 'claims'))
      found.set(claimId!, found.has(claimId!) ? claimJson(sql, p, claimId!)! : json)
    return found
  }
  const page = (rows: readonly CommandRow[], more: boolean): CommandPage => ({
    commands: rows.map(([id, envelope]) => ({ id, envelope: JSON.parse(envelope) as CommandEnvelope })),
    more,
  })
  const pastOf = (row: ProjectRow, heads: readonly string[]): ((pos: number) => boolean) => {
    const unseen = graph.missing(row, heads)
    return (pos) => !contains(unseen, pos)
  }

  const reads: KbdReads = {
    content,
    projects: () => graph.projects().map((row) => ({ project: row.project, root: row.root, ...standingOf(row) })),
    standing: (project) => standingOf(graph.project(project)),
    root: (project) => graph.project(project)?.root ?? null,
    snapshotText(project) {
      const row = graph.project(project)
      const p = row?.p ?? 0
      const [boards, columns, cards] = [inOrder(p, views(p, 'boards')), views(p, 'columns'), views(p, 'cards')]
      const { frontier, headCount, revision } = standingOf(row)
      const head = JSON.stringify({ project, root: row?.root ?? null, revision, frontier, headCount })
      const maps = [
        ['boards', join(boards)],
        ['columns', join(columns)],
        ['cards', join(cards)],
        ['claims', join([...claimsOf(p)].sort(([one], [other]) => (one < other ? -1 : 1)))],
        ['conflicts', join(views(p, 'conflicts'))],
      ].map(([name, text]) => `"${name}":{${text}}`)
      return `${head.slice(0, -1)},${maps.join()},"unplaced":${JSON.stringify(unplaced(boards, columns, cards))}}`
    },
    boardOrder: (project) => boardIds(numberOf(project)),
    viewPage(project, map, after, limit) {
      const p = numberOf(project)
      const rows = sql(
        'SELECT id, json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? AND id > ? ORDER BY id LIMIT 0 + ?',
      ).all<ViewRow>(p, map, after, limit)
      if (map !== 'claims') return rows
      return rows.map(([id, , archived, a, b]): ViewRow => [id, claimJson(sql, p, a!)!, archived, a, b])
    },
    snapshot: (project) => JSON.parse(reads.snapshotText(project)) as Project,
    card(project, cardId) {
      const p = numberOf(project)
      const card = view<Card>(p, 'cards', cardId)
      if (card === undefined) throw fail('entity_not_found')
      const comments = belonging(p, 'a', cardId, 'comments').map((json) => JSON.parse(json) as Comment)
      const links = new Set([...belonging(p, 'a', cardId, 'links'), ...belonging(p, 'b', cardId, 'links')])
      return {
        ...card,
        comments: comments.sort((one, other) =>
          one.issuedAtMs === other.issuedAtMs
            ? one.commentId < other.commentId
              ? -1
              : 1
            : one.issuedAtMs - other.issuedAtMs,
        ),
        links: [...links]
          .map((json) => JSON.parse(json) as Link)
          .sort((one, other) => (one.linkId < other.linkId ? -1 : 1)),
      }
    },
    comment: (project, commentId) => view<Comment>(numberOf(project), 'comments', commentId),
    claims: (project, state, nowMs) =>
      views(numberOf(project), 'claims')
        .map(([, json]) => judgeClaim(JSON.parse(json) as Claim, nowMs))
        .filter((claim) => state === 'all' || claim.state === state)
        .sort((one, other) => (`${one.cardId}${one.claimId}` < `${other.cardId}${other.claimId}` ? -1 : 1)),
    conflicts: (project) => views(numberOf(project), 'conflicts').map(([, json]) => JSON.parse(json) as Conflict),
    conflictPage(project, after, limit, maxChars) {
      const texts: string[] = []
      let [last, chars] = [after, 0]
      for (;;) {
        // One more than is wanted: whether there is a next page.
        const rows = reads.viewPage(project, 'conflicts', last, Math.min(PAGE, limit + 1 - texts.length))
        for (const [id, json] of rows) {
          chars += json.length
          if (texts.length === limit || (chars > maxChars && texts.length > 0)) return { texts, next: last }
          texts.push(json)
          last = id
        }
        if (rows.length < PAGE && texts.length < limit + 1) return { texts, next: null }
      }
    },
    conflictIds: (project) =>
      sql("SELECT id FROM kbd_views WHERE p = ? AND map = 'conflicts' ORDER BY id")
        .all<[id: string]>(numberOf(project))
        .map(([id]) => id),
    conflict(project, conflictId) {
      const conflict = view<Conflict>(numberOf(project), 'conflicts', conflictId)
      if (conflict === undefined) throw fail('conflict_not_found')
      return conflict
    },
    unplaced(project) {
      const p = numberOf(project)
      return unplaced(views(p, 'boards'), views(p, 'columns'), views(p, 'cards'))
    },
    commands(project, after, limit) {
      const p = numberOf(project)
      const start = after === undefined ? 0 : graph.node(p, after)?.pos
      if (start === undefined) return undefined
      const rows = sql(
        'SELECT id, envelope FROM kbd_commands WHERE p = ? AND pos > ? ORDER BY pos LIMIT 0 + ?',
      ).all<CommandRow>(p, start, limit + 1)
      return page(rows.slice(0, limit), rows.length > limit)
    },
    command(project, id) {
      const p = numberOf(project)
      const row = sql('SELECT id, envelope FROM kbd_commands WHERE id = ? AND p = ?').get<CommandRow>(id, p)
      return row === undefined ? undefined : page([row], false).commands[0]
    },
    known(project, ids) {
      const p = numberOf(project)
      return new Set(ids.filter((id) => graph.node(p, id) !== undefined))
    },
    issuedAtMs: (project, id) => graph.node(numberOf(project), id)?.issuedAtMs,
    findByCommandId(project, signerKeyId, commandId) {
      const row = sql(
        'SELECT id FROM kbd_commands WHERE command_id = ? AND +p = ? AND signer = ? ORDER BY +pos LIMIT 1',
      ).get<[id: string]>(commandId.toLowerCase(), numberOf(project), signerKeyId)
      return row === undefined ? undefined : { id: row[0] }
    },
    have(project) {
      const row = graph.project(project)
      return row === undefined ? [] : graph.have(row.p)
    },
    missing(project, have, maxBytes, after, upTo) {
      const row = graph.project(project)
      if (row === undefined) return { commands: [], more: false }
      const start = after === undefined ? 0 : (graph.node(row.p, after)?.pos ?? 0)
      const ranges = intersect(graph.missing(row, have), [start + 1, row.revision])
      const isWanted = upTo === undefined ? () => true : pastOf(row, upTo)
      const found: CommandRow[] = []
      let bytes = 0
      for (let i = 0; i < ranges.length; i += 2) {
        for (let from = ranges[i]!; from <= ranges[i + 1]!; from += PAGE) {
          const to = Math.min(ranges[i + 1]!, from + PAGE - 1)
          const rows = sql(
            'SELECT id, envelope, pos FROM kbd_commands WHERE p = ? AND pos BETWEEN ? AND ? ORDER BY pos',
          )
          for (const [id, envelope, pos] of rows.all<[...CommandRow, pos: number]>(row.p, from, to)) {
            if (!isWanted(pos)) continue
            const command: CommandRow = [id, envelope]
            // Bytes of UTF-8, as they will be sent, with the comma between two.
            bytes += new TextEncoder().encode(command[1]).length + 1
            if (bytes > maxBytes && found.length > 0) return page(found, true)
            found.push(command)
          }
        }
      }
      return page(found, false)
    },
    behind(project, have) {
      const row = graph.project(project)
      return row === undefined ? 0 : sizeOf(graph.missing(row, have))
    },
    contentOf: (project, hash) => content.get(hash, numberOf(project)),
    contentFor: (project, hash, peer) => content.getFor(hash, numberOf(project), { project, peer }),
    wantedContent(project, limit, upTo) {
      const row = graph.project(project)
      if (row === undefined) return []
      const later = upTo === undefined ? [] : graph.missing(row, upTo)
      if (later.length === 0) return content.wanted(row.p, project, limit)
      // A text that a later command names as well may still be one that an earlier one names.
      const isPast = pastOf(row, upTo!)
      const naming = sql('SELECT pos FROM kbd_commands WHERE p = ? AND instr(envelope, ?) > 0')
      return content
        .wanted(row.p, project, MAX_WANTED)
        .filter((hash) => naming.all<[pos: number]>(row.p, hash).some(([pos]) => isPast(pos)))
        .slice(0, limit)
    },
    covers(project, of, ids) {
      const row = graph.project(project)
      if (row === undefined) return ids.length === 0
      const isPast = pastOf(row, of)
      return ids.every((id) => {
        const node = graph.node(row.p, id)
        return node !== undefined && isPast(node.pos)
      })
    },
    revisionOf(project, heads) {
      const row = graph.project(project)
      return row === undefined ? 0 : row.revision - sizeOf(graph.missing(row, heads))
    },
  }
  return reads
}

/** Commands that are read at once. */
const PAGE = 64
/** Texts that are looked for among the commands, each of which takes a walk over all of them. */
const MAX_WANTED = 256

type CommandRow = [id: string, envelope: string]
/** A thing as it is kept: `a` and `b` are what it belongs to. */
export type ViewRow = [id: string, json: string, archived: number, a: string | null, b: string | null]

function join(rows: readonly (readonly [id: string, json: string, ...rest: unknown[]])[]): string {
  return rows.map(([id, json]) => `"${id}":${json}`).join()
}

/** Cards whose board or column is missing or archived, by the place that is shown. */
function unplaced(
  boards: readonly ViewRow[],
  columns: readonly ViewRow[],
  cards: readonly ViewRow[],
): readonly string[] {
  const live = (rows: readonly ViewRow[]): ReadonlySet<string | null> =>
    new Set(rows.filter(([, , archived]) => archived === 0).map(([id]) => id))
  const [onBoards, inColumns] = [live(boards), live(columns)]
  return cards.filter(([, , , a, b]) => !onBoards.has(a) || !inColumns.has(b)).map(([id]) => id)
}

/** A claim as a clock sees it: what is held has expired once its time has come. */
function judgeClaim(claim: Claim, nowMs: number): Claim {
  return claim.state === 'held' && nowMs >= claim.expiresAtMs ? { ...claim, state: 'expired' } : claim
}
