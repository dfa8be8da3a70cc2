/** Answers of the console's server: refusals, JSON, pages, and the headers that all of them have. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../session.ts'

/** What the page may do: load its own script and style, talk to its own origin, and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** For answers that come from a service: opened as a document, such an answer runs nothing and has no origin. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Sets the headers of every answer. `isData` is for what does not belong to the page. */
export function setCommonHeaders(response: ServerResponse, isData: boolean): void {
  response.setHeaders(
    new Map([
      ['content-security-policy', isData ? DATA_POLICY : PAGE_POLICY],
      ['x-content-type-options', 'nosniff'],
      ['x-frame-options', 'DENY'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-resource-policy', 'same-origin'],
      ['cache-control', 'no-store'],
    ]),
  )
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value))
}

/** Answers with a text of a type. */
export function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(text) })
  if (response.req.complete) return void response.end(text)
  response.write(text)
  endAfterBody(response)
}

/**
 * Ends a response once its request has been read and dropped, or after a second. A connection that closes while bytes are on
 * their way is reset, and the reset can overtake the answer (RFC 9112, section 9.6).
 */
function endAfterBody(response: ServerResponse): void {
  const timer = setTimeout(() => response.end(), 1_000)
  response.req.once('close', () => {
    clearTimeout(timer)
    response.end()
  })
  response.req.resume()
}

/** Answers with a refusal: a page where a person opened the address, JSON for everything else. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  refusal: Refusal,
): void {
  // What is left of a body that nobody reads must not be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  const hint = refusal.hint === undefined ? '' : `\n<p>${escaped(refusal.hint)}</p>`
  if (!isNavigation(request)) sendJson(response, status, { error: refusal })
  else sendPage(response, status, `<h1>${escaped(refusal.message)}</h1>${hint}`)
}

/** Answers with a page of a few words; `head` is markup of our own. */
export function sendPage(response: ServerResponse, status: number, body: string, head = ''): void {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">${head}
<title>svc console</title>
${body}
</html>
`
  send(response, status, 'text/html', page)
}

/** Whether the answer is shown as a document. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const dest = headers['sec-fetch-dest']
  return dest === undefined ? /\btext\/html\b/.test(headers.accept ?? '') : dest === 'document'
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
