/**
 * The fold against an oracle that works by force, over random graphs in many delivery orders. `SVC_FUZZ_RUNS` sets the
 * number of graphs; every 100th has more than 200 commands.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/parts.ts'
import { codecs, drivers, type OpenDriver, openNode, START_MS, type TestNode } from './boards.ts'
import { foldByForce } from './oracle.ts'
import { pull, type Step, tell } from './story.ts'

const RUNS = Number(process.env['SVC_FUZZ_RUNS'] ?? 2_000)
/** Small graphs of one test. */
const PART = 500
const LATER_MS = START_MS + 86_400_000

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat({ max: 8 * 31 - 1 }),
  fc.nat({ max: 2 }),
  fc.nat({ max: 4 }),
  fc.nat({ max: 4_095 }),
  fc.nat({ max: 4_095 }),
)

/** An order in which parents stand first, chosen by a number. */
function shuffled(commands: readonly ProvenCommand[], seed: number): ProvenCommand[] {
  let state = seed >>> 0
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const children = new Map<string, ProvenCommand[]>()
  const waits = new Map<string, number>()
  const ready: ProvenCommand[] = []
  for (const command of commands) {
    const { heads } = command.envelope.expectedFrontier
    waits.set(command.id, heads.length)
    if (heads.length === 0) ready.push(command)
    for (const head of heads) children.set(head, [...(children.get(head) ?? []), command])
  }
  const order: ProvenCommand[] = []
  while (ready.length > 0) {
    const [next] = ready.splice(random(ready.length), 1)
    order.push(next!)
    for (const child of children.get(next!.id) ?? []) {
      const left = waits.get(child.id)! - 1
      waits.set(child.id, left)
      if (left === 0) ready.push(child)
    }
  }
  return order
}

/** What a node says of a project, cards with their comments and links included. */
function tellOf({ ledger }: TestNode, project: string): { text: string; cards: Record<string, unknown> } {
  const text = ledger.snapshotText(project)
  const ids = Object.keys(ledger.snapshot(project).cards)
  return { text, cards: Object.fromEntries(ids.map((id) => [id, ledger.card(project, id)])) }
}

/** One story: three nodes live it, three more hear of it in orders of their own, and the oracle knows better. */
function judge(nodes: readonly TestNode[], run: number, steps: readonly Step[]): { refused: number; size: number } {
  const project = `run-${run}`
  const [lived, heard] = [nodes.slice(0, 3), nodes.slice(3)]
  const { commands, refused } = tell(lived, project, run, steps)
  for (const to of lived) for (const from of lived) if (to !== from) pull(to, from, project, LATER_MS)
  for (const [i, node] of heard.entries()) {
    for (const command of shuffled(commands, run * 31 + i)) node.ledger.admit(command, LATER_MS)
  }
  const expected = foldByForce(commands)
  const first = tellOf(nodes[0]!, project)
  assert.equal(JSON.parse(first.text), { project, ...expected.project })
  assert.equal(first.cards, expected.cards)
  for (const node of nodes) {
    assert.equal(node === nodes[0] ? first : tellOf(node, project), first)
    for (const { id, effective, envelope, changes } of node.applied) {
      assert.is(effective, expected.effective.has(id), id)
      if (changes.some(({ map }) => map === 'claims'))
        assert.ok(envelope.command.type.startsWith('claim.'), 'changed hands')
    }
    node.applied.length = 0
  }
  return { refused: refused.length, size: commands.length }
}

/** Judges stories of a length; every command of all of them stands in six databases, which are checked at the end. */
function judgeMany(open: () => OpenDriver, runs: number, seed: number, minLength: number, maxLength: number): void {
  const nodes = Array.from({ length: 6 }, () => openNode(open))
  for (const { driver } of nodes) driver.exec('BEGIN')
  let run = 0
  let refused = 0
  let smallest = Number.POSITIVE_INFINITY
  const once = (steps: readonly Step[]): void => {
    const done = judge(nodes, ++run, steps)
    refused += done.refused
    smallest = Math.min(smallest, done.size)
  }
  const stories = fc.array(step, { minLength, maxLength, size: 'max' })
  fc.assert(fc.property(stories, once), { numRuns: runs, seed, endOnFailure: true })
  for (const { driver, audit } of nodes) {
    driver.exec('COMMIT')
    assert.ok(audit.verify().ok)
  }
  const scratch = open()
  const { driver, audit } = nodes[0]!
  assert.is(checkKbd({ driver, codecs, limits: defaultLimits, audit }, scratch), undefined)
  for (const { close } of [scratch, ...nodes.map((node) => node.driver)]) close()
  // The stories are not all peaceful, and the large ones are large.
  assert.ok(refused >= runs && smallest >= minLength / 2, `${refused} refused, ${smallest} commands`)
  if (minLength > 300) assert.ok(smallest >= 200, `${smallest} commands`)
}

for (const [name, open] of Object.entries(drivers)) {
  const runs = name === 'sql.js' ? Math.ceil(RUNS / 20) : RUNS
  const large = Math.ceil(runs / 100)
  test(`${name}: equal commands are an equal project in every order, as by force: ${large} large graphs`, () => {
    judgeMany(open, large, 12, 330, 340)
  })
  // In parts, so that each has the time limit of a test.
  for (let left = runs - large, part = 1; left > 0; left -= PART, part++) {
    test(`${name}: the same for ${Math.min(PART, left)} small ones, part ${part}`, () => {
      judgeMany(open, Math.min(PART, left), part, 4, 14)
    })
  }
}

test.run()
