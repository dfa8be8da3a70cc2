/**
 * Files of packages that neither a build nor its tools read, nor Node where it runs the sources. No hash includes them,
 * and the toolkit's package does not contain them. The proof rejects a bundle that contains such a file.
 */

/** Unread files by package: other builds of the package, sources beside the compiled code, and tests. */
const inPackage: Readonly<Record<string, RegExp>> = {
  // Of its schemas only those in JSON are read.
  '@cyclonedx/cyclonedx-library': /^(?:dist\.web|src)\/|\.xsd$/,
  '@koromix/koffi-linux-arm64': /^musl_/,
  '@koromix/koffi-linux-x64': /^musl_/,
  '@modelcontextprotocol/sdk': /^dist\/cjs\//,
  '@noble/hashes': /^src\//,
  // No code here imports its entry for unstable names.
  '@opentelemetry/semantic-conventions': /\.d\.mts$|^dist\/(?:experimental_|index-incubating)/,
  ajv: /^lib\//,
  bintrees: /^test\//,
  // Node and the bundler read its ES modules.
  diff: /^(?:dist|libcjs)\/|^eslint\.config\.mjs$/,
  'eventsource-parser': /^src\/|\.cjs$/,
  // Node resolves `main`, which is `dist/index.umd.js`, where the sources of the toolkit run, and the bundler
  // `index.esm.js`.
  'hash-wasm': /^dist\/(?!index\.umd\.js$).*\.umd\.|^dist\/index\.esm\.min\.js$|^(?:src|lib)\//,
  hono: /^dist\/cjs\//,
  koffi: /^(?:doc|lib|vendor)\/|^src\/koffi\/src\/(?!static\.js$)/,
  // Node and the bundler read the ES module; its command is not run.
  marked: /^(?:bin|man)\/|^lib\/marked\.umd\.js$/,
  pino: /^test\//,
  // Node and the bundler read the sources, which are ES modules.
  postgres: /^(?:cjs|cf)\//,
  'qrcode-generator': /^(?:experiment|test)\/|^dist\/(?!qrcode\.)|\.config\.mjs$/,
  qs: /^(?:test|dist)\//,
  // Only the browser module and its WebAssembly are read; ten other builds and their archives are not.
  'sql.js': /^dist\/(?!sql-wasm-browser\.(?:js|wasm)$)/,
  'thread-stream': /^test\//,
  // Only the parser is read; the command, the language server, its types, the platform types and the translations are
  // not.
  typescript: /^lib\/(?:_|lib\.|typescript\.d\.ts$|[a-z]{2}(?:-[a-z]{2})?\/)/,
  'uri-js': /^yarn\.lock$/,
  // Node and the bundler read `index.mjs`.
  valibot: /\.cjs$|\.min\./,
  zod: /^src\/|\.cjs$/,
}

/**
 * Whether a file is unread in any package: source maps, types of CommonJS modules, and documentation except licences.
 */
export function isUnread(file: string): boolean {
  if (/\.(?:map|d\.cts)$/.test(file)) return true
  return /\.(?:md|markdown)$/i.test(file) && !/licen[cs]e|notice|copying/i.test(file)
}

/** Whether a file is unread in a package of the lock file; `place` is a path such as `node_modules/pino`. */
export function isUnreadAt(place: string, file: string): boolean {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (name.startsWith('@opentelemetry/') && file.startsWith('build/esnext/')) return true
  return isUnread(file) || inPackage[name]?.test(file) === true
}
