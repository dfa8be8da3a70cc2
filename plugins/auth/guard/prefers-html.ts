/**
 * Whether an Accept field names HTML and puts it before JSON (RFC 9110 section 12.5.1). A wildcard alone asks for neither,
 * so that `curl` gets JSON.
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
  const given = parameters.find((one) => one.startsWith('q='))
  if (given === undefined) return [range, 1]
  return [range, /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0]
}
