/** The differences between the builds of two profiles. */

import type { JSX } from 'preact'
import type { ReadBuild } from '../../lib/build-tree.ts'
import { bytes } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { ProvenBundle } from '../../lib/proof.ts'
import { programOf, readProof } from '../../lib/proof.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Panel } from '../../parts/parts.tsx'

/** Compares the programs of two builds, owner by owner. */
export function Differences({
  of,
  with: other,
}: {
  readonly of: ReadBuild
  readonly with: string
}): JSX.Element | null {
  const read = useLoad((stop) => readProof(other, stop))
  const { data: proof } = read
  if (proof === undefined) return <Datum of={read} name={`the build of ${other}`} isOfConsole />
  const from = programOf(of.proof)
  const to = programOf(proof)
  if (from === undefined || to === undefined) return null
  const differences = differencesOf(from, to)
  return (
    <Panel title={`${of.proof.profile} and ${other}: ${bytes(from.bytes)} and ${bytes(to.bytes)}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
      <div class="table-box" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Owner of the bytes</th>
              <th>{of.proof.profile}</th>
              <th>{other}</th>
              <th>Change</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => {
              const change = changeOf(difference)
              return (
                <tr key={difference.owner}>
                  <td>
                    <code>{difference.owner}</code>
                  </td>
                  <td>{difference.from === undefined ? <Badge>not in</Badge> : bytes(difference.from)}</td>
                  <td>{difference.to === undefined ? <Badge>not in</Badge> : bytes(difference.to)}</td>
                  <td class={change > 0 ? 'grown' : 'shrunk'}>
                    {change > 0 ? '+' : '−'}
                    {bytes(Math.abs(change))}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** The bytes of an owner in both builds; undefined for a build without that owner. */
export interface Difference {
  readonly owner: string
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The owners with different bytes, the largest difference first. */
function differencesOf(from: ProvenBundle, to: ProvenBundle): readonly Difference[] {
  const owners = new Set([...Object.keys(from.in), ...Object.keys(to.in)])
  return [...owners]
    .map((owner): Difference => ({ owner, from: from.in[owner]?.bytes, to: to.in[owner]?.bytes }))
    .filter((difference) => difference.from !== difference.to)
    .sort((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || (a.owner < b.owner ? -1 : 1))
}

/** The bytes of the second build minus the bytes of the first. */
function changeOf({ from = 0, to = 0 }: Difference): number {
  return to - from
}
