/** The differences between the builds of two profiles. */
import type { JSX } from 'preact'
import { bytes } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { programOf, readProof } from '../../lib/proof.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Panel } from '../../parts/parts.tsx'
import type { ReadBuild } from './build.tsx'
import { changeOf, differencesOf } from './compare.ts'

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
  const found = differencesOf(from, to)
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
            {found.map((difference) => {
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
