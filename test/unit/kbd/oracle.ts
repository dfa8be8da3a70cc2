/**
 * Computes a project by brute force: it applies every documented rule to sets of ancestors, without optimisation. It
 * shares no code with the engine except the hash.
 */
import type { Command, CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { codecs } from './boards.ts'

export interface Given {
  readonly id: string
  readonly envelope: CommandEnvelope
}

type Json = unknown
type Members = Readonly<Record<string, Json>>
interface Claimed {
  readonly of: Given
  readonly card: string
}

const hash = (value: unknown): string => codecs.sha256(new TextEncoder().encode(codecs.canonicalText(value)))
const same = (one: Json, other: Json): boolean => codecs.canonicalText(one) === codecs.canonicalText(other)

/** The state of a project with exactly these commands. */
export function foldByForce(given: readonly Given[]): {
  readonly project: Members
  readonly cards: Readonly<Record<string, Members>>
  readonly effective: ReadonlySet<string>
} {
  const byId = new Map(given.map((one) => [one.id, one]))
  const number = new Map(given.map(({ id }, n) => [id, n]))
  const pasts = new Map<string, Set<string>>()
  const past = (id: string): Set<string> => {
    let found = pasts.get(id)
    if (found === undefined) {
      found = new Set()
      for (const parent of byId.get(id)!.envelope.expectedFrontier.heads) {
        found.add(parent)
        for (const older of past(parent)) found.add(older)
      }
      pasts.set(id, found)
    }
    return found
  }
  // A table, because the question is frequent: whether the command of the column is an ancestor of the command of the
  // row.
  const table = given.map(({ id }) => {
    const row = new Uint8Array(given.length)
    for (const older of past(id)) row[number.get(older)!] = 1
    return row
  })
  const before = (one: string, other: string): boolean => table[number.get(other)!]![number.get(one)!] === 1
  const concurrent = (one: string, other: string): boolean =>
    one !== other && !before(one, other) && !before(other, one)
  const commandIn = (one: Given): Command => one.envelope.command
  const among = (ids: Iterable<string>): Given[] => [...ids].map((id) => byId.get(id)!)

  // Claims.
  const isClaiming = (one: Given): boolean =>
    commandIn(one).type === 'claim.acquire' || commandIn(one).type === 'claim.force'
  const tie = (one: Given): string =>
    hash(['svc-kbd-claim-2', (commandIn(one) as { cardId: string }).cardId, one.envelope.signerKeyId])
  const cardOf = (one: Given): string => (commandIn(one) as { cardId: string }).cardId
  const claimIdOf = (one: Given): string => (commandIn(one) as { claimId: string }).claimId
  const isAcquire = (one: Given): boolean =>
    isClaiming(one) && !among(past(one.id)).some((other) => isClaiming(other) && claimIdOf(other) === claimIdOf(one))
  const acquires = given.filter(isAcquire)
  type Within = (id: string) => boolean
  const issuedOf = (one: Given): number => one.envelope.issuedAtMs
  const startOf = (one: Given): number => issuedOf(one) - 30_000
  const endOf = (one: Given): number => issuedOf(one) + (commandIn(one) as { leaseMs: number }).leaseMs
  const rivals = (one: Given, within: Within): Given[] =>
    acquires.filter((other) => other.id !== one.id && within(other.id) && cardOf(other) === cardOf(one))
  const lost = (one: Given, within: Within): boolean =>
    rivals(one, within).some(
      (other) =>
        concurrent(other.id, one.id) &&
        startOf(other) < endOf(one) &&
        startOf(one) < endOf(other) &&
        (tie(other) === tie(one) ? other.id < one.id : tie(other) < tie(one)),
    )
  const forced = (one: Given, within: Within): boolean =>
    rivals(one, within).some((other) => commandIn(other).type === 'claim.force' && before(one.id, other.id))
  const stands = (one: Given, within: Within): boolean =>
    !judged(one).isVoid && !lost(one, within) && !forced(one, within) && !released(one, within)
  const memo = new Map<string, Claimed | null>()
  const renewed = (one: Given): Claimed | undefined => {
    if (memo.has(one.id)) return memo.get(one.id) ?? undefined
    const inPast = (id: string): boolean => before(id, one.id)
    const target = acquires
      .filter(
        (other) =>
          inPast(other.id) &&
          claimIdOf(other) === claimIdOf(one) &&
          cardOf(other) === cardOf(one) &&
          other.envelope.signerKeyId === one.envelope.signerKeyId,
      )
      .sort((a, b) => (a.id < b.id ? -1 : 1))[0]
    const isValid = target !== undefined && issuedOf(one) >= issuedOf(target) && stands(target, inPast)
    memo.set(one.id, isValid ? { of: target, card: cardOf(one) } : null)
    return memo.get(one.id) ?? undefined
  }
  /** The acquire or force of a claim, and its renewals. */
  const entriesOf = (one: Given, within: Within): Given[] => [
    one,
    ...given.filter(
      (other) => commandIn(other).type === 'claim.renew' && within(other.id) && renewed(other)?.of.id === one.id,
    ),
  ]
  const isLater = (one: Given, other: Given): boolean =>
    issuedOf(one) === issuedOf(other) ? one.id > other.id : issuedOf(one) > issuedOf(other)
  /** The moment from which a later claim counts, which limits this one. */
  const capOf = (one: Given, within: Within): number =>
    Math.min(
      ...rivals(one, within)
        .filter((other) => isLater(other, one) && !judged(other).isVoid && !lost(other, within))
        .filter((other) => !before(other.id, one.id) || stands(other, within))
        .map((other) => judged(other).fromMs),
    )
  const judgements = new Map<string, { readonly isVoid: boolean; readonly fromMs: number }>()
  /** Whether an acquire comes before the end of a claim that its author saw, and from when it counts. */
  const judged = (one: Given): { readonly isVoid: boolean; readonly fromMs: number } => {
    const known = judgements.get(one.id)
    if (known !== undefined) return known
    const inPast = (id: string): boolean => before(id, one.id)
    const ends =
      commandIn(one).type === 'claim.force'
        ? []
        : rivals(one, inPast)
            .filter((old) => stands(old, inPast) && startOf(old) < endOf(one))
            .map((old) => {
              const come = entriesOf(old, inPast).filter((entry) => entry === old || startOf(entry) <= issuedOf(one))
              return Math.min(Math.max(...come.map(endOf)), capOf(old, inPast))
            })
    const judgement = { isVoid: ends.some((end) => issuedOf(one) < end), fromMs: Math.max(startOf(one), ...ends) }
    judgements.set(one.id, judgement)
    return judgement
  }
  const released = (one: Given, within: Within): boolean =>
    given.some(
      (other) => commandIn(other).type === 'claim.release' && within(other.id) && renewed(other)?.of.id === one.id,
    )
  const claimed = (one: Given): Claimed | undefined => {
    if (!commandIn(one).type.startsWith('claim.')) return undefined
    if (isClaiming(one)) return isAcquire(one) ? { of: one, card: cardOf(one) } : undefined
    return renewed(one)
  }

  // Writes.
  const creates = (one: Given, entity: string): boolean => {
    const command = commandIn(one) as unknown as Record<string, string>
    const [kind, id] = entity.split('/')
    const verb = kind === 'comment' || kind === 'link' ? 'add' : 'create'
    return command['type'] === `${kind}.${verb}` && command[`${kind}Id`] === id
  }
  const boardIn = (column: string, within: Set<string>): Json => {
    const all = among(within).filter(
      (one) => creates(one, `column/${column}`) || writes(one).has(`column/${column}/boardId`),
    )
    const last = all
      .filter((one) => !all.some((other) => before(one.id, other.id)))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    return last.length === 0 ? undefined : writes(last[0]!).get(`column/${column}/boardId`)
  }
  const written = new Map<string, Map<string, Json>>()
  const writes = (one: Given): Map<string, Json> => {
    let found = written.get(one.id)
    if (found === undefined) written.set(one.id, (found = new Map(findWrites(one))))
    return found
  }
  const findWrites = (one: Given): [string, Json][] => {
    const command = commandIn(one) as unknown as Record<string, Json>
    const [kind, verb] = (command['type'] as string).split('.') as [string, string]
    const own = `${kind}/${command[`${kind}Id`] as string}`
    const some = (names: string[]): [string, Json][] =>
      names.filter((name) => name in command).map((name) => [`${own}/${name}`, command[name]])
    const place = { boardId: command['boardId'], columnId: command['columnId'], rank: command['rank'] }
    if (kind === 'claim') {
      const claim = claimed(one)
      return claim === undefined ? [] : [[`card/${claim.card}/claim`, claimValue(one, claim)]]
    }
    if (kind === 'label')
      return [[`card/${command['cardId'] as string}/label/${command['name'] as string}`, verb === 'add']]
    if (kind === 'board' && verb !== 'archive')
      return [...some(['title']), ...(verb === 'create' ? [[`${own}/archived`, false] as [string, Json]] : [])]
    if (kind === 'column' && verb === 'create')
      return [...some(['boardId', 'title', 'rank', 'wipLimit']), [`${own}/archived`, false]]
    if (kind === 'column' && verb === 'rerank') {
      const boardId = boardIn(command['columnId'] as string, past(one.id))
      const places = command['places'] as { cardId: string; rank: string }[]
      if (boardId === undefined) return []
      return places.map(({ cardId, rank }) => [
        `card/${cardId}/place`,
        { boardId, columnId: command['columnId'], rank },
      ])
    }
    if (kind === 'board' || kind === 'column') return some(['title', 'rank', 'wipLimit', 'archived'])
    if (kind === 'card') {
      if (verb === 'archive' || verb === 'restore') return [[`${own}/archived`, verb === 'archive']]
      const parts = some(['title', 'bodyHash', 'priority', 'assignee'])
      if (verb === 'create') return [[`${own}/place`, place], ...parts, [`${own}/archived`, false]]
      return verb === 'move' ? [[`${own}/place`, place]] : parts
    }
    if (kind === 'link') {
      if (verb === 'remove') return [[`${own}/removed`, true]]
      const { from, to, kind: how } = command
      return [
        [`${own}/link`, { from, to, kind: how }],
        [`${own}/removed`, false],
      ]
    }
    if (kind === 'comment') {
      if (verb === 'redact') return [[`${own}/redacted`, true]]
      return [
        ...some(verb === 'add' ? ['cardId', 'bodyHash'] : ['bodyHash']),
        ...(verb === 'add' ? [[`${own}/redacted`, false] as [string, Json]] : []),
      ]
    }
    // conflict.resolve
    const register = command['register'] as string
    const choose = command['choose'] as { id?: string; value?: Json }
    if (choose.id === undefined) return [[register, choose.value]]
    if (!past(one.id).has(choose.id)) return []
    const chosen = writes(byId.get(choose.id)!)
    if (chosen.has(register)) return [[register, chosen.get(register)]]
    const entity = register.split('/').slice(0, 2).join('/')
    const isEdit =
      register === `${entity}/archived` &&
      /^(board|column|card)\//.test(entity) &&
      [...chosen.keys()].some((name) => name.startsWith(`${entity}/`) && name !== `${entity}/claim`)
    return isEdit ? [[register, false]] : []
  }
  const claimValue = (one: Given, { of }: Claimed): Members => {
    const command = commandIn(one) as unknown as Members
    const acquired = commandIn(of) as unknown as { claimId: string; agent: string | null; leaseMs: number }
    const isRelease = command['type'] === 'claim.release'
    const leaseMs = isRelease ? acquired.leaseMs : (command['leaseMs'] as number)
    return {
      type: command['type'],
      of: of.id,
      claimId: acquired.claimId,
      agent: acquired.agent,
      leaseMs,
      expiresAtMs: isRelease ? one.envelope.issuedAtMs : one.envelope.issuedAtMs + leaseMs,
    }
  }

  // Registers: the writes that no later write has seen.
  const everWritten = new Map<string, { one: Given; value: Json }[]>()
  for (const one of given)
    for (const [register, value] of writes(one)) {
      const list = everWritten.get(register)
      if (list === undefined) everWritten.set(register, [{ one, value }])
      else list.push({ one, value })
    }
  const registers = new Map(
    [...everWritten].map(([register, list]) => [
      register,
      list
        .filter(({ one }) => !list.some((other) => before(one.id, other.one.id)))
        .sort((a, b) => (a.one.id < b.one.id ? -1 : 1)),
    ]),
  )
  const isConflict = (list: readonly { value: Json }[]): boolean =>
    list.some(({ value }) => !same(value, list[0]!.value))
  const value = (register: string): Json => {
    const list = registers.get(register)
    if (list === undefined) return null
    if (/\/(label\/.*|redacted)$/.test(register)) return list.some((entry) => entry.value === true)
    return list[0]!.value
  }

  // The state of each claim.
  const all = (): boolean => true
  const claims: Record<string, Members> = {}
  const inForce = new Map<string, { claimId: string; entry: string | undefined }>()
  const shownClaims = acquires
    .flatMap((of) => {
      const entries = (registers.get(`card/${cardOf(of)}/claim`) ?? []).filter(
        (entry) => (entry.value as { of: string }).of === of.id,
      )
      const rank = (entry: { value: Json }): [number, number] => {
        const shown = entry.value as { type: string; expiresAtMs: number }
        return [shown.type === 'claim.release' ? 0 : 1, -shown.expiresAtMs]
      }
      const best = [...entries].sort((a, b) => {
        const [x, y] = [rank(a), rank(b)]
        return x[0] - y[0] || x[1] - y[1] || (a.one.id < b.one.id ? -1 : 1)
      })[0]
      const state = !stands(of, all)
        ? released(of, all) && !lost(of, all) && !forced(of, all) && !judged(of).isVoid
          ? 'released'
          : 'void'
        : 'held'
      const capMs = capOf(of, all)
      const isCurrent = state === 'held' && capMs === Number.POSITIVE_INFINITY
      if (best === undefined && !isCurrent) return []
      const shown = best?.value as Record<string, Json> | undefined
      // The entries that follow without a gap.
      let runMs = endOf(of)
      const inRun = (): Given[] => entriesOf(of, all).filter((entry) => startOf(entry) <= runMs)
      for (let before = -1; before < inRun().length; runMs = Math.max(...inRun().map(endOf))) before = inRun().length
      const last = inRun().sort((a, b) => endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1))[0]!
      const byRelease = shown?.['type'] === 'claim.release'
      const { claimId, agent } = commandIn(of) as unknown as { claimId: string; agent: string | null }
      const generation = 1 + acquires.filter((other) => cardOf(other) === cardOf(of) && before(other.id, of.id)).length
      const claim = {
        claimId,
        cardId: cardOf(of),
        deviceId: of.envelope.signerKeyId,
        agent,
        leaseMs: byRelease ? shown['leaseMs'] : endOf(last) - issuedOf(last),
        issuedAtMs: byRelease ? issuedOf(best!.one) : issuedOf(last),
        expiresAtMs: byRelease ? shown['expiresAtMs'] : state === 'held' ? Math.min(endOf(last), capMs) : endOf(last),
        tie: tie(of),
        generation,
        state,
      }
      if (isCurrent) inForce.set(cardOf(of), { claimId, entry: best?.one.id })
      return [{ of: of.id, claim }]
    })
    .sort((a, b) => (a.of < b.of ? -1 : 1))
  for (const { claim } of [...shownClaims.filter((one) => one.claim.state === 'held'), ...shownClaims])
    claims[claim.claimId as string] ??= claim

  // Entities.
  const entities = [...new Set([...registers.keys()].map((name) => name.split('/').slice(0, 2).join('/')))]
    .filter((entity) => given.some((one) => creates(one, entity)))
    .sort()
  const ofKind = (kind: string): string[] =>
    entities.filter((entity) => entity.startsWith(`${kind}/`)).map((entity) => entity.slice(kind.length + 1))
  const shape = (kind: string, id: string, names: string[]): Record<string, Json> => ({
    [`${kind}Id`]: id,
    ...Object.fromEntries(names.map((name) => [name, value(`${kind}/${id}/${name}`)])),
  })
  const boards = Object.fromEntries(ofKind('board').map((id) => [id, shape('board', id, ['title', 'archived'])]))
  const columns = Object.fromEntries(
    ofKind('column').map((id) => [id, shape('column', id, ['boardId', 'title', 'rank', 'wipLimit', 'archived'])]),
  )
  const cards = Object.fromEntries(
    ofKind('card').map((id) => [
      id,
      {
        ...shape('card', id, ['title', 'bodyHash', 'place', 'priority', 'assignee', 'archived']),
        labels: [...registers.keys()]
          .filter((name) => name.startsWith(`card/${id}/label/`) && value(name) === true)
          .map((name) => name.split('/').slice(3).join('/'))
          .sort(),
        claim: inForce.get(id)?.claimId ?? null,
      },
    ]),
  )
  const isLive = (map: Record<string, Record<string, Json>>, id: Json): boolean =>
    typeof id === 'string' && map[id] !== undefined && map[id]['archived'] !== true
  const unplaced = Object.entries(cards)
    .filter(([, card]) => {
      const place = (card as Members)['place'] as Record<string, string> | null
      return !isLive(boards, place?.['boardId']) || !isLive(columns, place?.['columnId'])
    })
    .map(([id]) => id)

  // Conflicts.
  const conflicts: Record<string, Members> = {}
  const list = (
    kind: string,
    register: string,
    entries: readonly { one: Given; value: Json }[],
    shown?: string,
  ): void => {
    const candidates = [...entries]
      .sort((a, b) => (a.one.id < b.one.id ? -1 : 1))
      .map(({ one, value }) => ({
        id: one.id,
        value,
        deviceId: one.envelope.signerKeyId,
        issuedAtMs: one.envelope.issuedAtMs,
      }))
    const conflictId = hash([register, candidates.map(({ id }) => id)])
    const [type, id] = register.split('/')
    conflicts[conflictId] = {
      conflictId,
      kind,
      entity: { type, id },
      register,
      candidates,
      shown: shown ?? candidates[0]!.id,
    }
  }
  for (const [register, entries] of registers) {
    const [, id, name] = register.split('/') as [string, string, string]
    if (!isConflict(entries) || name === 'label' || name === 'redacted') continue
    if (name === 'bodyHash' && register.startsWith('comment/') && value(`comment/${id}/redacted`) === true) continue
    const kind = name === 'place' || name === 'claim' ? name : 'field'
    const entry = name === 'claim' ? inForce.get(id)?.entry : undefined
    list(kind, register, entries, entries.find(({ one }) => one.id === entry)?.one.id)
  }
  for (const [register, entries] of registers) {
    const [kind, id, name] = register.split('/') as [string, string, string]
    if (name !== 'archived' || !['board', 'column', 'card'].includes(kind)) continue
    const edits = [...registers]
      .filter(([other]) => other.startsWith(`${kind}/${id}/`) && other !== register && !other.endsWith('/claim'))
      .flatMap(([, found]) => found.map(({ one }) => one))
    const found = new Map<string, { one: Given; value: Json }>()
    const archives = entries.filter((entry) => entry.value === true)
    for (const { one } of archives)
      for (const edit of edits)
        if (concurrent(one.id, edit.id))
          found.set(edit.id, { one: edit, value: false }).set(one.id, { one, value: true })
    for (const { one } of archives) if (found.has(one.id)) found.set(one.id, { one, value: true })
    if (found.size > 0) list('archive_edit', register, [...found.values()])
  }

  // Details that are shown for a single card only.
  /**
   * By graph order: a command comes behind those it saw, at the latest of their times; then by time, then by the text.
   */
  const inOrder = <T>(list: readonly T[], of: (one: T) => Given, text: (one: T) => string): T[] => {
    const keys = new Map<T, readonly [atMs: number, steps: number]>()
    const keyOf = (one: T): readonly [atMs: number, steps: number] => {
      let key = keys.get(one)
      if (key !== undefined) return key
      const seen = list.filter((other) => before(of(other).id, of(one).id)).map(keyOf)
      const atMs = Math.max(issuedOf(of(one)), ...seen.map(([time]) => time))
      key = [atMs, Math.max(0, ...seen.filter(([time]) => time === atMs).map(([, steps]) => steps + 1))]
      keys.set(one, key)
      return key
    }
    return [...list].sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)]
      return x[0] - y[0] || x[1] - y[1] || issuedOf(of(a)) - issuedOf(of(b)) || (text(a) < text(b) ? -1 : 1)
    })
  }
  const firstOf = (entity: string): Given =>
    inOrder(
      given.filter((one) => creates(one, entity)),
      (one) => one,
      ({ id }) => id,
    )[0]!
  const comments = ofKind('comment').map((id) => {
    const first = firstOf(`comment/${id}`)
    const redacted = value(`comment/${id}/redacted`) === true
    return {
      commentId: id,
      cardId: value(`comment/${id}/cardId`),
      bodyHash: redacted ? null : value(`comment/${id}/bodyHash`),
      redacted,
      issuedAtMs: first.envelope.issuedAtMs,
      deviceId: first.envelope.signerKeyId,
    }
  })
  const links = ofKind('link')
    .filter((id) => value(`link/${id}/removed`) !== true)
    .map((id) => ({ linkId: id, ...(value(`link/${id}/link`) as Record<string, Json>) }) as Record<string, Json>)
  const details = Object.fromEntries(
    Object.entries(cards).map(([id, card]) => [
      id,
      {
        ...card,
        comments: inOrder(
          comments.filter((comment) => comment.cardId === id),
          ({ commentId }) => firstOf(`comment/${commentId}`),
          ({ commentId }) => commentId,
        ),
        links: links.filter((link) => link['from'] === id || link['to'] === id),
      },
    ]),
  )

  const named = new Set(given.flatMap((one) => one.envelope.expectedFrontier.heads))
  const heads = given
    .filter(({ id }) => !named.has(id))
    .map(({ id }) => id)
    .sort()
  return {
    project: {
      root: given.find((one) => one.envelope.expectedFrontier.heads.length === 0)!.id,
      revision: given.length,
      frontier: { heads: heads.slice(0, 64) },
      headCount: heads.length,
      boards,
      columns,
      cards,
      claims,
      conflicts,
      unplaced,
    },
    cards: details,
    effective: new Set(given.filter((one) => writes(one).size > 0).map(({ id }) => id)),
  }
}
