/** Writes verdicts as an OpenVEX document (https://github.com/openvex/spec, version 0.2.0). */
import { createHash } from 'node:crypto'
import { type Account, npmPurl } from '../../build/account/account.ts'
import type { Verdict } from './judge.ts'

/** Author and time of the document. */
export interface Saying {
  readonly author: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** Creates the document. */
export function toOpenVex(
  account: Account,
  verdicts: readonly Verdict[],
  { author, atMs }: Saying,
): Record<string, unknown> {
  const product = `pkg:generic/svc@${account.toolkit}?profile=${account.profile}`
  const hashes = account.bundles.map(({ file, sha256 }) => [file, sha256])
  const statements = verdicts.map(({ id, aliases, package: name, version, status, justification, because }) => ({
    vulnerability: { name: id, ...(aliases.length > 0 && { aliases }) },
    products: [
      {
        '@id': product,
        subcomponents: [
          { '@id': version === null ? npmPurl(name, '*').replace(/@[^@]*$/, '') : npmPurl(name, version) },
        ],
      },
    ],
    // OpenVEX's status for an undecided verdict.
    status: status === 'unknown' ? 'under_investigation' : status,
    ...(justification !== undefined && { justification }),
    ...(status === 'affected'
      ? { action_statement: `Update ${name}, or leave out the feature that brings it. ${because}` }
      : { impact_statement: because }),
  }))
  const about = createHash('sha256')
    .update(JSON.stringify([hashes, statements]))
    .digest('hex')
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:svc:vex:${about}`,
    author,
    timestamp: new Date(atMs).toISOString(),
    version: 1,
    statements,
  }
}
