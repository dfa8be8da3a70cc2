/** Answers of the console's server: errors, JSON and HTML pages, with their common headers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../session.ts'

/** The page may load its own script and style and send requests to its own origin, and nothing else. */
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

/** For answers of a service: if a browser opens one as a document, the document runs no script and has no origin. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Sets the headers of every answer. `isData` is true for an answer of a service. */
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

/** Answers with a text of a media type. */
export function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(text) })
  if (response.req.complete) return void response.end(text)
  response.write(text)
  endAfterBody(response)
}

/**
 * Ends a response after the rest of its request has been read and dropped, or after one second. If the server closed
 * the connection while more bytes arrive, it would be reset, and the client could lose the answer (RFC 9112, section
 * 9.6).
 */
function endAfterBody(response: ServerResponse): void {
  const timer = setTimeout(() => response.end(), 1_000)
  response.req.once('close', () => {
    clearTimeout(timer)
    response.end()
  })
  response.req.resume()
}

/** Answers with an error: an HTML page for a navigation of a browser, JSON for any other request. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  refusal: Refusal,
): void {
  // The rest of a body that is not read must not be parsed as the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  const hint = refusal.hint === undefined ? '' : `\n<p>${escaped(refusal.hint)}</p>`
  if (!isNavigation(request)) sendJson(response, status, { error: refusal })
  else sendPage(response, status, `<h1>${escaped(refusal.message)}</h1>${hint}`)
}

/** Answers with a short HTML page. `body` and `head` are markup, which is not escaped here. */
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

/** Whether the browser shows the answer as a document. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const dest = headers['sec-fetch-dest']
  return dest === undefined ? /\btext\/html\b/.test(headers.accept ?? '') : dest === 'document'
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
