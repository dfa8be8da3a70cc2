/** The registry of domain families. */
import { PROJECT_NAME } from '../../../protocol/scopes.ts'
import type { DomainFamily } from '../../api.ts'
import { fail } from '../../errors.ts'

const PROHIBITED: readonly string[] = ['system', 'audit', 'kbd-device']

/** A domain that exists. */
export interface KnownDomain {
  readonly family: DomainFamily
  readonly project: string
}

/** Finds the family and the project of a domain. */
export interface Domains {
  /** Rejects with `domain_prohibited`, `domain_not_found` or `scope_not_found`. */
  find(domain: string): Promise<KnownDomain>
  /** Whether the family of a domain has a frontier, so that a push must be signed. The domain need not exist. */
  takesFrontier(domain: string): boolean
}

/** Creates the registry of the families of this build. */
export function createDomains(families: readonly DomainFamily[]): Domains {
  const byName = new Map(families.map((family) => [family.name, family]))
  return {
    async find(domain) {
      const { name, rest } = split(domain)
      if (PROHIBITED.includes(name)) throw fail('domain_prohibited')
      const family = byName.get(name)
      if (family === undefined) throw fail('domain_not_found')
      if (!PROJECT_NAME.test(rest) || !(await family.exists(domain, rest))) throw fail('scope_not_found')
      return { family, project: rest }
    },
    takesFrontier: (domain) => byName.get(split(domain).name)?.takesFrontier === true,
  }
}

/**
 * Splits a domain at its first colon. The parts of a domain without a colon are empty, which is the name of no family.
 */
function split(domain: string): { name: string; rest: string } {
  const colon = domain.indexOf(':')
  return colon < 0 ? { name: '', rest: '' } : { name: domain.slice(0, colon), rest: domain.slice(colon + 1) }
}
