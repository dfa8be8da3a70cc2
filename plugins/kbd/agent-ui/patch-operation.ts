/** Makes an operation of a JSON patch (RFC 6902) as JSON text. Ids are UUIDs and hashes, so no path needs an escape. */
export function operation(op: 'add' | 'remove' | 'replace', path: string, json?: string): string {
  return json === undefined ? `{"op":"${op}","path":"${path}"}` : `{"op":"${op}","path":"${path}","value":${json}}`
}
