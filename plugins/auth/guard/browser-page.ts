/**
 * The body of a 401 for a browser: a page that says what this is and how to get a credential, the same for every path.
 */
import { createHash } from 'node:crypto'
import type { Hook } from '../../../core/http/hooks.ts'
import type { ReplyHeaders } from '../../../core/http/reply.ts'
import { readCredential } from './credentials.ts'

const style = `
:root { color-scheme: light dark; --paper: #fbfaf8; --ink: #1d1c1a; --faint: #6b6862; --line: #e4e1da; --accent: #b4441f }
@media (prefers-color-scheme: dark) {
  :root { --paper: #171614; --ink: #ecebe7; --faint: #9b978e; --line: #34322d; --accent: #f08a5d }
}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; grid-template-columns: minmax(0, 36rem); place-content: center; padding: 2rem 1.5rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif }
p.code { color: var(--accent); font: 600 .875rem/1 ui-monospace, monospace; letter-spacing: .04em }
h1 { margin: 1rem 0 .75rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance }
h2 { margin: 2rem 0 .5rem; font-size: .875rem; color: var(--faint); font-weight: 600 }
pre { padding: .875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem;
  font: .875rem/1.6 ui-monospace, monospace }
p.more { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .875rem }
`

declare const __CONSOLE__: boolean

/** The part about the console, in a build that has the console. */
const inspection =
  typeof __CONSOLE__ === 'undefined' || __CONSOLE__
    ? `<h2>Or look at it, on the machine that it runs on</h2>
<pre>svc console --open</pre>
`
    : ''

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>401 · svc</title>
<style>${style}</style>
<main>
<p class="code">401</p>
<h1>This is the runtime interface of svc. It answers programs that send a credential.</h1>
<p>A browser sends none, so every address looks like this one.</p>
<h2>Get a token for development</h2>
<pre>svc token --sub ada</pre>
<h2>Send it</h2>
<pre>curl -H "Authorization: Bearer $(svc token --sub ada)" &lt;address&gt;</pre>
${inspection}<p class="more">In production the tokens come from your identity provider, or from an API key. The operator of this service knows which.</p>
</main>
</html>
`

/** Made for the first browser: a start loads no hash for it. */
function createHeaders(): ReplyHeaders {
  const styleHash = createHash('sha256').update(style).digest('base64')
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  }
}

/** Gives the page to a request without any credential that prefers HTML to JSON; all others keep the JSON body. */
export function browserPage(): Hook {
  let headers: ReplyHeaders | undefined
  return {
    amend: (request, reply) => {
      if (reply.status !== 401 || !prefersHtml(request.header('accept'))) return reply
      if (readCredential(request, request.header('authorization')).kind !== 'none') return reply
      headers ??= createHeaders()
      return { status: 401, headers: { ...reply.headers, ...headers }, body: page, code: reply.code }
    },
  }
}

/**
 * Whether an Accept field names HTML and puts it before JSON (RFC 9110 section 12.5.1). A wildcard alone asks for
 * neither, so that `curl` gets JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = accept?.toLowerCase()
  if (ranges === undefined || !ranges.includes('text/html')) return false
  const weights = new Map(ranges.split(',').map(readRange))
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  return (weights.get('text/html') ?? 0) > json
}

/** A media range without its parameters, and its weight from 0 to 1; one that is not well-formed counts as 0. */
function readRange(text: string): [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((one) => one.startsWith('q='))
  if (weight === undefined) return [range, 1]
  return [range, /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0]
}
