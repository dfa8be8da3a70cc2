/** Writes the report as one HTML page without scripts and external files, and with a policy that forbids both. */
import { createHash } from 'node:crypto'
import { treeOf } from '../../../plugins/console/page/lib/build-tree.ts'
import type { BundleAccount } from '../../build/account/account.ts'
import { packagesIn } from '../../build/account/account.ts'
import { type Change, compare } from '../diff/compare.ts'
import type { Dist } from '../open-dist.ts'
import { Html, html, kib, sunburst } from './sunburst.ts'

/** The page about one build, or about two side by side. */
export function reportPage(first: Dist, second?: Dist): string {
  const builds = second === undefined ? [first] : [first, second]
  const title = builds.map(({ account }) => account.profile).join(' and ')
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: what is in, and what is out</title>
<style>${new Html(style)}</style>
</head>
<body>
<header><h1>${title}</h1><p>${builds.map(({ account }) => html`${account.summary}. `)}</p></header>
<main class="${builds.length > 1 ? 'two' : 'one'}">
${builds.map((build) => section(build))}
</main>
${second === undefined ? '' : comparison(compare(first.account, second.account), first, second)}
<footer>svc-toolkit ${first.account.toolkit}</footer>
</body>
</html>
`.text
}

function section(dist: Dist): Html {
  const { account } = dist
  return html`<section>
<h2>${account.profile}</h2>
${account.bundles.map((bundle) => picture(dist, bundle))}
${packageTable(dist)}
${absentTable(dist)}
</section>`
}

function picture({ account }: Dist, bundle: BundleAccount): Html {
  const tree = treeOf(account, bundle)
  const rows = tree.children.map(
    ({ name, bytes }) =>
      html`<tr><td>${name}</td><td>${kib(bytes)}</td><td>${((100 * bytes) / tree.bytes).toFixed(1)} %</td></tr>`,
  )
  const parts = Object.keys(bundle.parts)
  const later =
    parts.length === 0 ? '' : html`, ${kib(bundle.gzipTotal)} with what is loaded later (${parts.join(', ')})`
  return html`<figure>${sunburst(tree)}
<figcaption>${bundle.file} (${bundle.form}, ${bundle.platform}): ${kib(bundle.bytes)} minified, ${kib(bundle.gzipBytes)} gzip${later}. Rings: feature, package, file.</figcaption></figure>
<details><summary>Features of ${bundle.file} by bytes</summary><table><thead><tr><th>feature</th><th>bytes</th><th>part</th></tr></thead><tbody>${rows}</tbody></table></details>`
}

function packageTable({ account }: Dist): Html {
  const rows = packagesIn(account, account.bundles).map((place) => {
    const { name, version, licence } = account.packages[place]!
    return html`<tr><td>${name}</td><td>${version}</td><td>${licence ?? 'unknown'}</td></tr>`
  })
  if (rows.length === 0) return html`<p>No package of npm is in it.</p>`
  return html`<details><summary>${rows.length} packages</summary><table><thead><tr><th>package</th><th>version</th><th>licence</th></tr></thead><tbody>${rows}</tbody></table></details>`
}

function absentTable({ account, proof }: Dist): Html {
  const rows = Object.entries(account.features)
    .filter(([, { in: chosen }]) => Object.keys(chosen).length === 0)
    .map(([id, { summary, profiles }]) => {
      const controls = proof.bundles.flatMap(({ file, out }) =>
        Object.entries(out).flatMap(([name, { positive, mutation, saves }]) =>
          name === id || name.startsWith(`${id}=`) ? [{ file, name, positive, mutation, saves }] : [],
        ),
      )
      const shown = controls.map(
        ({ file, name, positive, mutation, saves }) =>
          html`<li>${file}, ${name}: switched on, the bundle has ${positive.bytes} bytes of it, and the proof names ${mutation} (${saves} bytes more without packages)</li>`,
      )
      return html`<tr><td><b>${id}</b><br>${summary}</td><td>${profiles.join(', ')}</td><td><ul>${shown}</ul></td></tr>`
    })
  return html`<details><summary>${rows.length} features are proven absent</summary><table><thead><tr><th>feature</th><th>profiles that have it</th><th>controls</th></tr></thead><tbody>${rows}</tbody></table></details>`
}

function comparison(changes: readonly Change[], a: Dist, b: Dist): Html {
  const rows = changes
    .filter(({ kind }) => kind !== 'bytes')
    .map(({ kind, name, file, from, to, noticed }) => {
      const value = (one: unknown): string => (one === null ? '' : typeof one === 'string' ? one : JSON.stringify(one))
      return html`<tr><td>${kind}</td><td>${file === undefined ? name : `${file} ${name}`}</td><td>${value(from)}</td><td>${value(to)}</td><td>${noticed}</td></tr>`
    })
  return html`<section class="diff"><h2>Differences</h2><table><thead><tr><th>kind</th><th>name</th><th>${a.account.profile}</th><th>${b.account.profile}</th><th>noticed</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

/** The style of the report. */
const style = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --line: #8886; --soft: #8882 }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem }
h1 { margin: 0; font-size: 1.7rem }
header p, footer { opacity: .75 }
main.two { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem }
main.one figure { display: inline-block; width: 48%; min-width: 22rem }
figure { margin: 1rem 0; vertical-align: top }
svg { width: 100%; max-width: 34rem }
svg path { stroke: Canvas; stroke-width: .8 }
svg path:hover { opacity: .7 }
svg text { text-anchor: middle; fill: CanvasText; pointer-events: none }
svg .sum { font-size: 19px; font-weight: 600 }
svg .of { font-size: 12px; opacity: .8 }
svg .name { font-size: 10px; fill: #fff }
figcaption { font-size: .9rem }
details { border-top: 1px solid var(--line); padding: .5rem 0 }
summary { cursor: pointer; font-weight: 600 }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; overflow-wrap: anywhere }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--soft) }
ul { margin: 0; padding-left: 1.1rem }
@media (max-width: 50rem) { main.two { grid-template-columns: 1fr } main.one figure { width: 100% } }
`
