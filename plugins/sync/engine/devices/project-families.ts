/**
 * The two families of domains over the table of projects. A push pins the state of its project. The head of a control
 * project without commands is the hash of the push that was applied last. Content projects have no frontier.
 */
import type { DomainFamily, Frontier, Pin } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { ReceiptStore } from '../store/api.ts'

/**
 * Creates the families `kbd-control` and `kbd-content`. Their projects are in the store. `pin` returns the state of
 * projects with commands.
 */
export function createProjectFamilies(store: ReceiptStore, pin: Pin = () => undefined): readonly DomainFamily[] {
  const exists = (_domain: string, project: string): Promise<boolean> =>
    store.read((ledger) => ledger.hasProject(project))
  return [
    {
      name: 'kbd-control',
      takesFrontier: true,
      exists,
      prepare: (envelope) => envelope,
      application: {
        kind: 'stored',
        frontier(ledger, project) {
          const state = pin(ledger, project)
          return state === undefined ? { heads: ledger.heads(project) ?? [] } : frontierOf(state)
        },
        apply(ledger, project, envelope) {
          const state = pin(ledger, project)
          if (state === undefined) ledger.setHeads(project, [envelope.canonicalPayloadHash])
          return state
        },
      },
    },
    {
      name: 'kbd-content',
      takesFrontier: false,
      exists,
      prepare: (envelope) => envelope,
      application: { kind: 'stored', frontier: () => ({ heads: [] }), apply: pin },
    },
  ]
}

/** The frontier of a project with commands. Throws `frontier_mismatch` if it has more heads than a push may name. */
export function frontierOf({ frontier, headCount }: NonNullable<ReturnType<Pin>>): Frontier {
  if (headCount > frontier.heads.length)
    throw fail('frontier_mismatch', { details: { currentFrontier: frontier, headCount } })
  return frontier
}
