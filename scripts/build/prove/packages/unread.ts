/**
 * Files of packages that neither a build nor a tool of it reads. They are in no hash, and the toolkit's package does not have
 * them. The proof refuses a bundle that has one of them in it.
 */

/** In a package of the lock file, where it brings other builds of itself, sources beside the compiled code, or tests. */
const inPackage: Readonly<Record<string, RegExp>> = {
  '@koromix/koffi-linux-arm64': /^musl_/,
  '@koromix/koffi-linux-x64': /^musl_/,
  '@modelcontextprotocol/sdk': /^dist\/cjs\//,
  '@noble/hashes': /^src\//,
  '@opentelemetry/semantic-conventions': /\.(?:cjs|d\.mts)$/,
  ajv: /^lib\//,
  bintrees: /^test\//,
  'hash-wasm': /\.umd\.|^(?:src|lib)\//,
  hono: /^dist\/cjs\//,
  koffi: /^(?:doc|lib|vendor|src\/koffi\/src)\//,
  pino: /^test\//,
  // The module for browsers and its WebAssembly are read; ten other builds and their archives are not.
  'sql.js': /^dist\/(?!sql-wasm-browser\.(?:js|wasm)$)/,
  // The parser is read. The command, the server of editors, the types of platforms and other languages are not.
  typescript: /^lib\/(?:_|lib\.|[a-z]{2}(?:-[a-z]{2})?\/)/,
  zod: /^src\/|\.cjs$/,
}

/** Maps from compiled code to its sources, types of CommonJS modules, and documentation besides licences, in any package. */
export function isUnread(file: string): boolean {
  if (/\.(?:map|d\.cts)$/.test(file)) return true
  return /\.(?:md|markdown)$/i.test(file) && !/licen[cs]e|notice|copying/i.test(file)
}

/** The same for a package of the lock file, by its place such as `node_modules/pino`. */
export function isUnreadAt(place: string, file: string): boolean {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (name.startsWith('@opentelemetry/') && file.startsWith('build/esnext/')) return true
  return isUnread(file) || inPackage[name]?.test(file) === true
}
