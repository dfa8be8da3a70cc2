/** The style of the report. */
export const style = `
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
