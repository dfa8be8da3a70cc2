/** The features that are proven absent, with the two controls of each proof. */
import type { JSX } from 'preact'
import type { ReadBuild } from '../../lib/build-tree.ts'
import { countOf } from '../../lib/format.ts'
import { Panel } from '../../parts/parts.tsx'

/** Shows the absent features of a build in one table. A feature may be absent in one bundle and present in another. */
export function Absences({ build: { proof, account } }: { readonly build: ReadBuild }): JSX.Element {
  const ids = [...new Set(proof.bundles.flatMap(({ out }) => Object.keys(out)))].sort()
  return (
    <Panel title="Proven absent">
      <p class="absences-about">
        The proof found 0 bytes of each feature. With the feature switched on, the same build has bytes of it, and the
        proof names a file of it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
      <div class="table-box" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Feature</th>
              <th>Not in</th>
              <th>Bytes if switched on</th>
              <th>Found if switched on</th>
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => {
              const bundles = proof.bundles.filter(({ out }) => out[id] !== undefined)
              const controls = bundles[0]?.out[id]
              if (controls === undefined) return null
              const { positive, mutation } = controls
              return (
                <tr key={id}>
                  <td>
                    <code>{id}</code>
                    <span class="absence-summary">{account.features[id.replace(/=.*/, '')]?.summary}</span>
                  </td>
                  <td>{bundles.map(({ file }) => file).join(', ')}</td>
                  <td>{countOf(positive.bytes, 'byte')}</td>
                  <td>
                    <code class="wrap">{mutation}</code>
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
