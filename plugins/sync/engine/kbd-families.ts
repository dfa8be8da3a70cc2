/**
 * The two families over the projects table. Until projects carry documents, the head of a control project is the hash of
 * the push that was applied to it last; content has no frontier.
 */
import type { DomainFamily } from '../api.ts'
import type { ReceiptStore } from './store/api.ts'

/** `kbd-control` and `kbd-content`, with their projects in the store. */
export function createKbdFamilies(store: ReceiptStore): readonly DomainFamily[] {
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
        frontier: (state, project) => ({ heads: state.heads(project) ?? [] }),
        apply: (state, project, envelope) => state.setHeads(project, [envelope.canonicalPayloadHash]),
      },
    },
    {
      name: 'kbd-content',
      takesFrontier: false,
      exists,
      prepare: (envelope) => envelope,
      application: { kind: 'stored', frontier: () => ({ heads: [] }), apply: () => {} },
    },
  ]
}
