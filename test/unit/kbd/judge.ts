/**
 * Compares the fold with a brute-force oracle over random graphs of more than 200 commands. Three nodes with different
 * enrolled devices run a story, and three more nodes get its commands in other orders.
 */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { codecs, type OpenDriver, openNode, openQuickNode, START_MS, type TestNode } from './boards.ts'
import { foldByForce } from './oracle.ts'
import { pull, type Step, step, tell } from './story.ts'

/** The number of graphs that share databases. */
const TOGETHER = 25
/** In every eighth graph, single nodes are also compared before they have all commands. */
const PARTIAL_EVERY = 8
/** The minimum number of commands of a graph, and the number of different larger sizes. */
const SIZE = 200
const MORE = 16
/** The number of steps of a story. Some steps are not commands, and some commands are refused everywhere. */
const STEPS = 290
const LATER_MS = START_MS + 86_400_000

/** A random order in which parents come first, chosen by a seed. */
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
      const remaining = waits.get(child.id)! - 1
      waits.set(child.id, remaining)
      if (remaining === 0) ready.push(child)
    }
  }
  return order
}

/** The project at a node, with the comments and links of its cards. */
function projectAt({ ledger }: TestNode, project: string): { text: string; cards: Record<string, unknown> } {
  const text = ledger.snapshotText(project)
  const ids = Object.keys(ledger.snapshot(project).cards)
  return { text, cards: Object.fromEntries(ids.map((id) => [id, ledger.card(project, id)])) }
}

/** The result of a story. */
interface Judged {
  readonly refused: number
  readonly unvouched: number
  readonly size: number
}

/** Runs one story on all nodes, and compares the nodes with the oracle. */
function judge(nodes: readonly TestNode[], run: number, steps: readonly Step[]): Judged {
  const project = `run-${run}`
  const [lived, heard] = [nodes.slice(0, 3), nodes.slice(3)]
  const { commands, refused, unvouched } = tell(lived, { project, run, commands: SIZE + (run % MORE) }, steps)
  // The project at a node always equals the fold of the node's own commands.
  if (run % PARTIAL_EVERY === 0) {
    for (const node of lived) {
      const own = commands.filter(({ id }) => node.ledger.command(project, id) !== undefined)
      compare(projectAt(node, project), project, foldByForce(own))
    }
  }
  const told = new Map(commands.map((command) => [command.id, command]))
  for (const to of lived) for (const from of lived) if (to !== from) pull(to, from, { project, nowMs: LATER_MS, told })
  for (const [i, node] of heard.entries()) {
    for (const command of shuffled(commands, run * 31 + i)) node.ledger.admit(command, LATER_MS)
  }
  const expected = foldByForce(commands)
  const first = projectAt(nodes[0]!, project)
  compare(first, project, expected)
  for (const node of nodes) {
    assert.equal(node === nodes[0] ? first : projectAt(node, project), first)
    for (const { id, effective, envelope, changes } of node.applied) {
      // Whether a command has an effect depends only on its ancestors, not on the order or on concurrent commands.
      if (effective !== expected.effective.has(id)) assert.unreachable(`${id} has another effect in another order`)
      const changesHands = changes.some(({ map }) => map === 'claims') && !envelope.command.type.startsWith('claim.')
      if (changesHands) assert.unreachable(`${id} changed who holds a card`)
    }
    node.applied.length = 0
  }
  return { refused: refused.length, unvouched, size: commands.length }
}

function compare(
  { text, cards }: ReturnType<typeof projectAt>,
  project: string,
  expected: ReturnType<typeof foldByForce>,
): void {
  assert.equal(JSON.parse(text), { project, ...expected.project })
  assert.equal(cards, expected.cards)
}

/** The check of a store is a command of the server, which reads plain names. */
const hasPlainNames = ({ driver }: TestNode): boolean =>
  driver.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kbd_commands'").get() !== undefined

/** Runs a number of stories, which are determined by a seed. Fails if a node differs from the oracle. */
export function judgeMany(open: () => OpenDriver, runs: number, seed: number): void {
  const seen = { refused: 0, unvouched: 0, smallest: Number.POSITIVE_INFINITY }
  let nodes: readonly TestNode[] = []
  let run = 0
  const begin = (): void => {
    nodes = Array.from({ length: 6 }, (_, n) => (n === 0 ? openNode(open) : openQuickNode(open)))
    for (const { driver } of nodes) driver.exec('BEGIN')
  }
  const end = (): void => {
    for (const { driver } of nodes) driver.exec('COMMIT')
    assert.ok(nodes[0]!.audit.verify().ok)
    // A check of the store must pass too. It folds everything again.
    if ((run === runs || run <= TOGETHER) && hasPlainNames(nodes[0]!)) {
      const { driver, audit } = nodes[run % nodes.length]!
      const scratch = open()
      assert.is(checkKbd({ driver, codecs, limits: defaultLimits, audit }, scratch), undefined)
      scratch.close()
    }
    for (const { driver } of nodes) driver.close()
  }
  const once = (steps: readonly Step[]): void => {
    if (run % TOGETHER === 0) begin()
    const { refused, unvouched, size } = judge(nodes, ++run, steps)
    seen.refused += refused
    seen.unvouched += unvouched
    seen.smallest = Math.min(seen.smallest, size)
    if (run % TOGETHER === 0 || run === runs) end()
  }
  const stories = fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' })
  fc.assert(fc.property(stories, once), { numRuns: runs, seed, endOnFailure: true })
  // The stories must be large, with refused and unvouched commands.
  assert.ok(seen.smallest >= SIZE && seen.refused >= runs && seen.unvouched >= runs, JSON.stringify(seen))
}
